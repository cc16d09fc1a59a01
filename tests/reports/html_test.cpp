#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <optional>

#include "reports/formats/format.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/log_excerpt.hpp"
#include "reports/html/page.hpp"
#include "reports/html/template.hpp"
#include "reports/judge/next_step.hpp"
#include "reports/measure/display.hpp"
#include "reports/statistics/sample.hpp"
#include "tests/reports/hundred_nodes.hpp"

using namespace shakedown;

namespace {

/// Whether every tag is closed in order and every attribute quoted: what XML asks of our figures, which hold
/// no comments, entities of their own or declarations.
bool well_formed(std::string_view text) {
  std::vector<std::string> open;
  size_t at = 0;
  while ((at = text.find('<', at)) != std::string_view::npos) {
    const size_t end = text.find('>', at);
    if (end == std::string_view::npos) return false;
    std::string_view tag = text.substr(at + 1, end - at - 1);
    at = end;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0 || tag.find('<') != std::string_view::npos)
      return false;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

/// Contrast ratio of two sRGB colours (WCAG 2.2, "relative luminance").
double luminance(unsigned rgb) {
  const auto linear = [](unsigned part) {
    const double c = part / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 0xFF) + 0.0722 * linear(rgb & 0xFF);
}
double contrast(unsigned a, unsigned b) {
  const double x = luminance(a) + 0.05;
  const double y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

/// The colour that the `nth` theme (0 light, 1 dark) of the style sheet gives to `name`.
unsigned colour(const std::string& css, const std::string& name, int nth) {
  size_t at = css.find(name + ": #");
  if (nth == 1) at = css.find(name + ": #", at + 1);
  REQUIRE(at != std::string::npos);
  return static_cast<unsigned>(std::stoul(css.substr(at + name.size() + 3, 6), nullptr, 16));
}

}  // namespace

namespace shakedown {
std::optional<std::string_view> report_file(std::string_view name);
}

TEST_CASE("every verdict has a shape and a word of its own") {
  std::set<std::string> shapes;
  std::set<std::string_view> words;
  for (const Verdict verdict : {Verdict::pass, Verdict::fail, Verdict::invalid, Verdict::not_run,
                                Verdict::not_comparable, Verdict::undecided}) {
    CHECK(well_formed(verdict_icon(verdict)));
    shapes.insert(verdict_icon(verdict));
    words.insert(verdict_word(verdict));
  }
  CHECK(shapes.size() == 6);
  CHECK(words.size() == 6);
}

TEST_CASE("a bullet bar's scale holds value, limit and published value") {
  const std::string bar = bullet_bar({0.4, 0.9, 0.5, "a < b & \"c\""});
  CHECK(well_formed(bar));
  CHECK(bar.find("aria-label=\"a &lt; b &amp; &quot;c&quot;\"") != std::string::npos);
  CHECK(bar.find("class=\"limit\" d=\"M88.00 ") != std::string::npos);
  CHECK(bar.find("class=\"value\" y=\"6\" width=\"39.11\"") != std::string::npos);
}

TEST_CASE("bars on either side of their limit differ in length, their limits in nothing") {
  const std::string below = bullet_bar({0.93, 1.0, std::nullopt, ""});
  const std::string above = bullet_bar({1.09, 1.0, std::nullopt, ""});
  CHECK(below.find("class=\"limit\" d=\"M88.00 ") != std::string::npos);
  CHECK(above.find("class=\"limit\" d=\"M88.00 ") != std::string::npos);
  CHECK(below.find("class=\"value\" y=\"6\" width=\"81.84\"") != std::string::npos);
  CHECK(above.find("class=\"value\" y=\"6\" width=\"95.92\"") != std::string::npos);
}

TEST_CASE("a bullet bar of nothing but zero is drawn") {
  CHECK(well_formed(bullet_bar({0, 0.0, std::nullopt, ""})));
}

TEST_CASE("text colours reach WCAG AAA on their grounds, light and dark") {
  const std::string css(report_file("report.css").value());
  for (const int theme : {0, 1}) {
    const unsigned paper = colour(css, "--paper", theme);
    for (const std::string name : {"--ink", "--muted", "--pass", "--fail", "--open"}) {
      INFO(name << " theme " << theme);
      CHECK(contrast(colour(css, name, theme), paper) >= 7);
      CHECK(contrast(colour(css, name, theme), colour(css, "--soft", theme)) >= 7);
    }
    for (const std::string name : {"--pass", "--fail", "--open"})
      CHECK(contrast(colour(css, name, theme), colour(css, name + "-soft", theme)) >= 7);
    for (const std::string name : {"--m1", "--m2", "--m3", "--f1", "--f2"}) {
      INFO(name << " theme " << theme);
      CHECK(contrast(colour(css, "--ink", theme), colour(css, name, theme)) >= 7);
    }
    for (const std::string name : {"--bar", "--limit", "--base"}) {
      INFO(name << " theme " << theme);
      CHECK(contrast(colour(css, name, theme), paper) >= 3);
    }
  }
}

TEST_CASE("readable text is valid UTF-8 without control characters, whatever the bytes") {
  CHECK(readable("a\xc3\xa4\xe2\x88\x92\xf0\x9f\x98\x80") == "a\xc3\xa4\xe2\x88\x92\xf0\x9f\x98\x80");
  CHECK(readable("a\xe2\x80\xaetxt.gpj") == "a\\u202etxt.gpj");  // would be shown backwards
  CHECK(readable("\xc0\x80") == "\uFFFD\uFFFD");
  CHECK(readable("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");
  CHECK(readable("\x1b[1;31mred\x1b[0m\r\n") == "red\n");
  CHECK(rc::check("readable text stays as it is when read again", [](const std::string& bytes) {
    const std::string once = readable(bytes);
    RC_ASSERT(readable(once) == once);
  }));
}

TEST_CASE("a long log keeps its ends and says what is left out") {
  std::string log;
  for (int i = 0; i < 1000; ++i) log += "line " + std::to_string(i) + "\n";
  const NumberedText text = numbered_text(log, 200, log.size());
  CHECK(text.text.starts_with("    1  line 0\n"));
  CHECK(text.text.ends_with(" 1000  line 999\n"));
  CHECK(text.text.find("bytes left out") != std::string::npos);
  const NumberedText excerpt = numbered_text(log, 200, 70000);
  CHECK(excerpt.text.ends_with("\n       line 999\n"));
  CHECK(excerpt.left_out == text.left_out + 70000 - log.size());  // of the whole file
  CHECK(numbered_text("short\n", 200, 6).text == "    1  short\n");
  CHECK(numbered_text("short\n", 200, 9).text == "    1  short\n");  // a secret in it was masked
  CHECK(numbered_text(std::string(1000, 'x'), 100, 1000).left_out == 900);
}

TEST_CASE("a template that is missing is an error") {
  CHECK_FALSE(filled("nothing.mustache", Fields()));
}

TEST_CASE("the median of an even number of values is the mean of the middle two") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
  CHECK(median({7}) == 7);
}

TEST_CASE("a value and its limit are printed alike only where they are equal") {
  CHECK(shown_beside("efficiency_gemm", 0.83, 0.7047).value == "83.0 %");
  CHECK(shown_beside("efficiency_gemm", 0.70469, 0.7047).value == "70.469 %");
  CHECK(shown_beside("efficiency_gemm", 0.7047, 0.7047).value == "70.5 %");
  CHECK(shown_beside("rmax_gflops", 1619.99, 1620).value == "1.61999 TFLOP/s");
  CHECK(rc::check("printed values keep the order of the values", [] {
    const double limit = *rc::gen::inRange(1, 1000000) / 1e5;
    const double value = limit * (1 + *rc::gen::inRange(-1000, 1000) * 1e-9);
    const ShownPair shown = shown_beside("efficiency_gemm", value, limit);
    RC_ASSERT((shown.value == shown.limit) == (value == limit));
    if (value != limit) RC_ASSERT((std::stod(shown.value) < std::stod(shown.limit)) == (value < limit));
  }));
}

TEST_CASE("a metric's unit is read from the ending of its key") {
  CHECK(metric_text("rmax_gflops", 33950000) == "33.95 PFLOP/s");
  CHECK(metric_text("time_s", 389.23) == "6 min 29 s (389.2 s)");
  CHECK(metric_text("bandwidth_gib_s", 139.8) == "139.8 GiB/s");
  CHECK(metric_text("spread_pct", 1.3) == "1.3 %");
  CHECK(metric_text("efficiency_gemm", 0.783) == "78.3 %");
  CHECK(metric_unit("residual").empty());
  CHECK(suite_title("hpl-mxp") == "HPL-MxP");
}

TEST_CASE("a sentence begins with a capital letter, a path or an id as it is") {
  CHECK(capitalised("other processes used 1 core") == "Other processes used 1 core");
  CHECK(capitalised("n8/result_1.txt: too few runs") == "n8/result_1.txt: too few runs");
  CHECK(capitalised("hpl-netlib-50n needed 2 attempts") == "hpl-netlib-50n needed 2 attempts");
}

TEST_CASE("the Markdown is a ticket: it has the next step, the page's names, and a row for like nodes") {
  const CampaignRecord campaign = fixture::hundred_nodes();
  const std::string markdown = fixture::rendered("markdown", campaign);
  const MeasuredCampaign measured(campaign);
  const std::string next =
      next_step_words(next_step(measured, fixture::judged(campaign), default_workspace,
                                std::filesystem::path(default_workspace) / "campaigns" / campaign.id));
  REQUIRE_FALSE(next.empty());
  CHECK(markdown.find("\nNext: " + next.substr(0, 20)) < markdown.find("\n| criterion"));
  const std::string own = fixture::rendered("markdown", fixture::five_suites());
  for (const char* name : {"HPL-like solver (shakedown) Rmax", "HPCG-like solver (shakedown) rating"})
    CHECK(own.find(name) != std::string::npos);
  CHECK(own.find("| HPL ") == std::string::npos);
  CHECK(markdown.find("cn050") == std::string::npos);
  CHECK(markdown.size() < 8000);
  const std::string how = "shakedown report " + campaign.id + " --format json";
  CHECK(markdown.find("`" + how + "` writes results.json") != std::string::npos);
  CHECK(fixture::section(fixture::rendered("html", campaign), "provenance").find(how) != std::string::npos);
  // Of another workspace with it; in a redacted report the id is a replacement, and no command finds it.
  Judgement judgement = fixture::judged(campaign);
  const auto both = [&](const std::filesystem::path& workspace) {
    std::string text;
    for (const char* format : {"markdown", "html"})
      text += report_format_named(format).value()->render({measured, judgement, nullptr, workspace}).value();
    return text;
  };
  const std::string elsewhere = both("/data/runs");
  CHECK(elsewhere.find("`" + how + " -w /data/runs`") != std::string::npos);
  CHECK(elsewhere.find("written by: " + how + " -w /data/runs") != std::string::npos);
  judgement.redaction.emplace();
  CHECK(both("/data/runs").find("--format json") == std::string::npos);
}

TEST_CASE("the Markdown's row of like nodes names those without a value") {
  CampaignRecord campaign = fixture::hundred_nodes();
  std::string lost;
  for (CaseRecord& record : campaign.cases)
    if (record.planned.suite == "hpl" && record.planned.nodes == 1 && lost.empty()) {
      lost = record.planned.hosts;
      record.attempts.clear();
      record.not_run = "the node was lost";
    }
  REQUIRE_FALSE(lost.empty());
  const std::string markdown = fixture::rendered("markdown", campaign);
  CHECK(lost == fixture::node_name(1));
  CHECK(markdown.find("; without cn\\[001,042\\] |") != std::string::npos);  // 42 failed
}

TEST_CASE("results have one order: the suites, then the screens") {
  const std::string markdown = fixture::rendered("markdown", fixture::five_suites());
  const std::string page = fixture::first_page(fixture::rendered("html", fixture::five_suites()));
  const std::string results = markdown.substr(markdown.find("\n| benchmark"));
  std::size_t last = 0;
  std::size_t last_of_page = 0;
  for (const char* name :
       {"HPL-like", "HPCG-like", "HPL-MxP-like", "File system test", "Training test", "GEMM"}) {
    INFO(name);
    const std::size_t place = results.find(fmt::format("\n| {}", name));
    CHECK(place != std::string::npos);
    CHECK(place > last);
    last = place;
    const std::size_t on_page = page.find(fmt::format(">{}", name));
    CHECK(on_page != std::string::npos);
    CHECK(on_page > last_of_page);
    last_of_page = on_page;
  }
  std::vector<int> places;
  for (const SuiteResult& each : fixture::judged(fixture::five_suites()).suite_results)
    places.push_back(reported_place(each.suite));
  CHECK(std::ranges::is_sorted(places));
}

TEST_CASE(
    "criteria, reliability, like nodes and runs in full keep that order, whatever that of the plan is") {
  CampaignRecord campaign = fixture::hundred_nodes();
  REQUIRE(campaign.cases.front().planned.suite == "gemm");
  REQUIRE(campaign.criteria_text.find("'gemm-rate'") != std::string::npos);
  std::swap(campaign.cases.front(), campaign.cases.back());
  const Judgement judgement = fixture::judged(campaign);
  const auto in_order = [](const auto& rows) {
    return rows.size() > 1 &&
           std::ranges::is_sorted(rows, {}, [](const auto& each) { return reported_place(each.suite); });
  };
  CHECK(in_order(judgement.criteria));
  CHECK(in_order(judgement.reliability));
  CHECK(judgement.reliability.front().suite == whole_campaign);
  CHECK(in_order(judgement.node_screens));
  const std::string runs = fixture::section(fixture::rendered("html", campaign), "runs");
  for (const char* name : {"HPL ", "HPCG-like", "GEMM "})
    REQUIRE(runs.find(fmt::format("<summary>{}", name)) != std::string::npos);
  CHECK(runs.find("<summary>HPL ") < runs.find("<summary>HPCG-like"));
  CHECK(runs.find("<summary>HPCG-like") < runs.find("<summary>GEMM "));
  CHECK(runs.rfind("<summary>HPL ") < runs.find("<summary>GEMM "));
}
