#include "reports/site/document.hpp"

#include <boost/beast/zlib/inflate_stream.hpp>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/signature.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/site/columns.hpp"
#include "reports/site/deflate.hpp"
#include "reports/site/level.hpp"
#include "reports/site/page.hpp"

using namespace shakedown;
using Json = nlohmann::json;

namespace {

std::string inflated(std::string_view bytes, std::size_t size) {
  namespace zlib = boost::beast::zlib;
  zlib::inflate_stream stream;
  std::string out(size + 1, '\0');
  zlib::z_params state;
  state.next_in = bytes.data();
  state.avail_in = bytes.size();
  state.next_out = out.data();
  state.avail_out = out.size();
  boost::beast::error_code code;
  stream.write(state, zlib::Flush::finish, code);
  out.resize(state.total_out);
  return out;
}

std::string from_base64(std::string_view text) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    group = group << 6 | static_cast<unsigned>(digits.find(c));
    if ((bits += 6) >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 255U);
  }
  return bytes;
}

/// A block of a document, as the page unpacks it.
std::string block_bytes(const Json& document, std::size_t number) {
  const Json& block = document["blocks"][number];
  const std::string data = from_base64(block["data"].get<std::string>());
  return block["encoding"] == "none" ? data : inflated(data, block["bytes"].get<std::size_t>());
}

std::vector<double> real_column(const Json& document, std::size_t block, const Json& column) {
  const std::string bytes = block_bytes(document, block);
  REQUIRE(column[0] == "f64");
  std::vector<double> numbers(column[2].get<std::size_t>());
  std::memcpy(numbers.data(), bytes.data() + column[1].get<std::size_t>(), numbers.size() * sizeof(double));
  return numbers;
}

constexpr std::string_view two_limits = R"(title = "Contract"
[[criteria]]
id = "hpl-rmax"
title = "HPL reaches its limit"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 90
limit_source = "contract"
aggregation = "median"
severity = "mandatory"
)";

/// `campaigns` campaigns of a system, each with a value of HPL and one of HPL-MxP on each of two nodes.
SiteHistory small_history(int campaigns) {
  SiteHistory history;
  SiteSystem& system = history.systems.emplace_back();
  system.name = "cluster";
  system.nodes = {"cn1", "cn2"};
  MetricSeries hpl{"hpl", "reference", 1, "", "N=8000", "rmax_gflops", "", {}};
  MetricSeries mxp{"hpl-mxp", "reference", 1, "", "N=8000", "rmax_gflops", "", {}};
  for (int i = 0; i < campaigns; ++i) {
    HistoryCampaign& campaign = system.campaigns.emplace_back();
    campaign.id = fmt::format("campaign-{}", i);
    campaign.system = system.name;
    campaign.kind = "acceptance";
    campaign.state = "finished";
    campaign.created_s = 1e9 + i * 86'400.0;
    campaign.criteria_text = two_limits;
    campaign.overall = "fail";
    campaign.sentence = "not accepted: hpl-rmax";
    campaign.criteria.push_back(
        {"hpl-rmax", "rmax_gflops", "mandatory", "fail", 2, 80.0, 90.0, "below its limit"});
    system.reports.emplace_back();
    for (const char* node : {"cn1", "cn2"}) {
      const auto run = static_cast<std::uint32_t>(system.series.runs.size());
      system.series.runs.push_back({campaign.id, "case", 1, campaign.created_s, node, Validity::valid, true});
      hpl.points.push_back({run, 80.0 + i});
      mxp.points.push_back({run, 800.0 + i});
    }
  }
  system.counts.assign(system.series.runs.size(), true);
  system.series.series = {std::move(hpl), std::move(mxp)};
  return history;
}

CheckSeries checks_of(const std::vector<double>& values) {
  CheckSeries series;
  for (const double value : values)
    series.checks.push_back({fmt::format("check-{}", series.checks.size()), {value}});
  return series;
}

}  // namespace

TEST_CASE("the committed template was built from the sources beside it") {
  const std::string site = std::string(PROJECT_FOLDER) + "/site/";
  const auto sums = file_content(site + "template/SOURCES.sha256");
  REQUIRE(sums);
  int files = 0;
  for (const std::string_view line : split(*sums, '\n')) {
    if (line.empty()) continue;
    const std::string name(line.substr(66));
    INFO(name << ": build the template again: cd site && npm ci && npm run build");
    CHECK(sha256_of_file(site + name).value_or("not there") == line.substr(0, 64));
    ++files;
  }
  CHECK(files > 15);
  CHECK(file_content(site + "template/index.html").value_or("") == site_template());
}

TEST_CASE("a node's pod is that of the newest inventory") {
  SiteHistory history = small_history(1);
  const auto pods = [&](const Json& document) {
    const Json& column = document["systems"][0]["nodes"]["pod"];
    const std::string bytes = block_bytes(document, 0);
    REQUIRE(column[0] == "u32");
    std::vector<std::uint32_t> numbers(column[2].get<std::size_t>());
    std::memcpy(numbers.data(), bytes.data() + column[1].get<std::size_t>(), 4 * numbers.size());
    std::vector<std::string> names;
    names.reserve(numbers.size());
    for (const std::uint32_t number : numbers) names.push_back(document["texts"][number]);
    return names;
  };
  CHECK_FALSE(Json::parse(site_document(history).json)["systems"][0]["nodes"].contains("pod"));
  history.systems[0].pods = {{"cn2", "pod-b"}};
  CHECK(pods(Json::parse(site_document(history).json)) == std::vector<std::string>{"", "pod-b"});
}

TEST_CASE("how many nodes are slow is what the newest campaign's report judges") {
  SiteHistory history = small_history(2);
  SiteSystem& system = history.systems[0];
  CHECK_FALSE(Json::parse(site_document(history).json)["systems"][0]["series"][0].contains("screened"));
  NodeScreen screen;
  screen.suite = "hpl";
  screen.implementation = "reference";
  screen.parameters = "N=8000";
  screen.metric = "rmax_gflops";
  for (const NodeFinding finding : {NodeFinding::confirmed, NodeFinding::suspect, NodeFinding::cleared})
    screen.nodes.emplace_back().finding = finding;
  system.screens = {screen};
  system.screened = "campaign-1";
  const Json series = Json::parse(site_document(history).json)["systems"][0]["series"];
  CHECK(series[0]["screened"] == Json{{"campaign", 1}, {"nodes", 3}, {"confirmed", 1}, {"suspect", 1}});
  CHECK_FALSE(series[1].contains("screened"));  // of another suite
}

TEST_CASE("a page holds its document and its summary, each once") {
  const SiteHistory history = small_history(3);
  const SiteDocument document = site_document(history);
  const auto page = site_page(site_template(), "template", history, document);
  REQUIRE(page);
  CHECK(contains(*page, document.json));
  CHECK(contains(*page, "<h2>cluster</h2>"));
  CHECK(contains(*page, "not accepted: hpl-rmax"));
  CHECK(!contains(*page, "<!--STATIC-->"));
  CHECK(!contains(*page, "/*DATA*/"));
  CHECK(site_document(history).json == document.json);
}

TEST_CASE("a template without its places, or with one twice, or of another schema is refused") {
  const SiteHistory history;
  const SiteDocument document = site_document(history);
  const std::string good(site_template());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return site_page(text, "own.html", history, document);
  };
  for (const auto& [from, to] : {std::pair{"<!--STATIC-->", ""}, std::pair{"/*DATA*/", "/*DATA*//*DATA*/"},
                                 std::pair{"schema=1", "schema=2"}}) {
    const auto page = with(from, to);
    REQUIRE(!page);
    CHECK(page.error().where == "own.html");
    CHECK(contains(page.error().what, "must have it once"));
  }
}

TEST_CASE("hostile texts are inert in document and summary, and come back as they were") {
  const std::vector<std::string> hostile = {"</script><script>alert(1)</script>",
                                            "<!--",
                                            "-->",
                                            "$&$1$`",
                                            "&lt;b&gt;",
                                            "\xE2\x80\xA8 \xE2\x80\xA9",
                                            "\"'`",
                                            "/*DATA*/",
                                            "<!--STATIC-->",
                                            "<img src=x onerror=alert(1)>",
                                            "javascript:alert(1)",
                                            "a\\u003cb"};
  SiteHistory history = small_history(static_cast<int>(hostile.size()));
  for (std::size_t i = 0; i < hostile.size(); ++i) {
    history.systems[0].campaigns[i].sentence = hostile[i];
    history.systems[0].campaigns[i].criteria[0].because = hostile[i];
  }
  history.systems[0].name = hostile[0];
  const SiteDocument document = site_document(history);
  CHECK(document.json.find_first_of("<>&") == std::string::npos);
  CHECK(!contains(document.json, "\xE2\x80\xA8"));
  const Json parsed = json_or_discarded<Json>(document.json);
  REQUIRE(parsed.is_object());
  for (const std::string& text : hostile)
    CHECK(std::ranges::find(parsed["texts"], Json(text)) != parsed["texts"].end());
  const std::string summary = site_summary(history);
  CHECK(!contains(summary, "<script"));
  CHECK(!contains(summary, "<img"));
  CHECK(!contains(summary, "<!--"));
}

TEST_CASE("the summary names a criterion's verdict as the report does") {
  SiteHistory history = small_history(1);
  HistoryCriterion& criterion = history.systems[0].campaigns[0].criteria[0];
  criterion.verdict = "invalid, waived";
  CHECK(contains(site_summary(history), "Invalid, waived</span> hpl-rmax"));
  criterion.verdict = "not-run";
  CHECK(contains(site_summary(history), "No result</span> hpl-rmax"));
}

TEST_CASE("a campaign without criteria is not judged, and waits for no verdict") {
  SiteHistory history = small_history(1);
  HistoryCampaign& campaign = history.systems[0].campaigns[0];
  campaign.criteria_text = campaign.overall = campaign.sentence = "";
  campaign.criteria.clear();
  CHECK(contains(site_summary(history), "Not judged</span> not judged: no criteria were given"));
  CHECK(contains(site_document(history).json, "\"not-judged\""));
  campaign.criteria_text = two_limits;
  CHECK(contains(site_summary(history), "No verdict yet"));
  campaign.criteria_text = "";
  campaign.kind = "regression";
  CHECK(contains(site_summary(history), "No verdict yet"));
}

TEST_CASE("a phase that is 0 in every run is no metric of the page") {
  SiteHistory history = small_history(2);
  MetricSeries phase{"io500", "reference", 1, "", "", "timestamp", "kIOPS", {{0, 0.0}, {1, 0.0}}};
  history.systems[0].series.series.push_back(phase);
  CHECK(!contains(site_document(history).json, "timestamp"));
  history.systems[0].series.series.back().points[1].value = 3;
  CHECK(contains(site_document(history).json, "timestamp"));
}

TEST_CASE("a limit is drawn in the series of its own suite alone, though another has a metric of that name") {
  const auto criteria = read_criteria(two_limits, "criteria.toml");
  REQUIRE(criteria.map_error([](const Error& error) { return to_string(error); }));
  const Json document = json_or_discarded<Json>(site_document(small_history(2)).json);
  const Json& series = document["systems"][0]["series"];
  REQUIRE(series.size() == 2);
  for (const Json& each : series) {
    INFO(each["suite"]);
    CHECK(each["levels"].contains("limit") == (each["suite"] == "hpl"));
    if (each["suite"] == "hpl")
      CHECK(real_column(document, 0, each["levels"]["limit"]) == std::vector<double>{90, 90});
  }
}

TEST_CASE("levels are medians of the values that count") {
  SiteHistory history = small_history(2);
  history.systems[0].counts[0] = false;  // cn1 in the first campaign
  history.systems[0].series.series[0].points[1].value = 70;
  const Json document = json_or_discarded<Json>(site_document(history).json);
  const Json& levels = document["systems"][0]["series"][0]["levels"];
  CHECK(real_column(document, 0, levels["median"]) == std::vector<double>{70, 81});
}

TEST_CASE("values of nodes that do not fit are those of the oldest campaigns") {
  const SiteHistory history = small_history(10);
  const SiteDocument whole = site_document(history);
  CHECK(whole.node_values_from_s == 0);
  const SiteDocument cut = site_document(history, {.node_values = 12});  // 4 of each campaign
  CHECK(cut.node_values_from_s == history.systems[0].campaigns[7].created_s);
  const Json document = json_or_discarded<Json>(cut.json);
  CHECK(document["systems"][0]["series"][0]["values"]["campaign"][2] == 6);
  CHECK(document["systems"][0]["series"][0]["levels"]["campaign"][2] == 10);
}

TEST_CASE("deflated bytes and base 64 come back") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  std::string bytes;
  unsigned state = 1;
  for (int i = 0; i < 300'000; ++i)
    bytes += static_cast<char>((state = state * 1664525U + 1013904223U) >> (i % 3 == 0 ? 24 : 30));
  CHECK(inflated(deflated(bytes), bytes.size()) == bytes);
  CHECK(inflated(deflated(""), 0).empty());
}

TEST_CASE("rounded columns lie within 1 / 20 000 of their values, or are kept in 32 bits") {
  std::vector<double> narrow, wide;
  for (int i = 0; i < 1000; ++i) {
    narrow.push_back(100 + 0.1 * i);
    wide.push_back(i % 2 == 0 ? 1e-3 : 1e6);
  }
  ColumnBlock block;
  const Column column = block.add_rounded(narrow);
  CHECK(column.type == "q16");
  for (const double value : narrow) {
    const double back = column.least + column.step * std::round((value - column.least) / column.step);
    CHECK(std::abs(back - value) <= value / 20'000);
  }
  CHECK(block.add_rounded(wide).type == "f32");
  CHECK(block.add_rounded(std::vector<double>{5, 5, 5}).type == "q16");
}

TEST_CASE("a unit suits the largest value") {
  CHECK(shown_unit("rmax_gflops", "", 33'950'000).name == "PFLOP/s");
  CHECK(shown_unit("rmax_gflops", "", 92.1).name == "GFLOP/s");
  CHECK(shown_unit("triad_mb_s", "", 9941).name == "GB/s");
  CHECK(shown_unit("triad_mb_s", "", 9941).factor == 1e-3);
  CHECK(shown_unit("time_to_train_min", "", 0.1147).name == "s");
  CHECK(shown_unit("time_to_train_min", "", 28).name == "min");
  CHECK(shown_unit("time_s", "", 8000).name == "h");
  CHECK(shown_unit("efficiency_gemm", "", 0.93).name == "%");
  CHECK(shown_unit("ior-easy-write", "GiB/s", 12).name == "GiB/s");
}

TEST_CASE("the noise band holds what regress would expect, and is not known of three checks") {
  CHECK(!noise_band(checks_of({100, 101, 99})));
  const auto band = noise_band(checks_of({100, 101, 99, 100.5, 99.5, 100, 101, 99, 100.2, 99.8}));
  REQUIRE(band);
  CHECK(band->low < 98.5);
  CHECK(band->high > 101.5);
  CHECK(band->centre == Approx(100).epsilon(0.01));
  CheckSeries reset = checks_of({50, 50, 50, 50, 100, 101, 99, 100.5, 99.5});
  reset.control_from = 4;
  const auto after = noise_band(reset);
  REQUIRE(after);
  CHECK(after->from == 4);
  CHECK(after->low > 90);
  CheckSeries times = checks_of({10, 10.1, 9.9, 10, 10.1, 9.9, 10, 10.1});
  times.better = Better::lower;
  const auto of_times = noise_band(times);
  REQUIRE(of_times);
  CHECK(of_times->low < of_times->centre);
  CHECK(of_times->centre < of_times->high);
}

TEST_CASE("band and change points are those that a check reports") {
  std::vector<double> values;
  unsigned state = 7;
  for (int i = 0; i < 40; ++i) {
    state = state * 1664525U + 1013904223U;
    values.push_back((i < 22 ? 100 : 92) *
                     (1 + 0.004 * (static_cast<double>(state >> 8) / (1U << 24) - 0.5)));
  }
  const CheckSeries series = checks_of(values);
  const auto verdict = judged_check({series}, {}, {});
  REQUIRE(verdict);
  const JudgedSeries& judged = verdict->series.front();
  const auto points = site_change_points(series);
  REQUIRE(points.size() == judged.changes.size());
  REQUIRE(points.size() == 1);
  CHECK(points[0].index == judged.changes[0].index);
  CHECK(points[0].before == judged.changes[0].before);
  CHECK(points[0].p == judged.changes[0].p);
  const auto band = noise_band(series);
  REQUIRE(band);
  CHECK(band->centre == Approx(judged.watched.expected).epsilon(1e-9));
  CHECK(band->checks == judged.watched.control);
  CHECK(values.back() < band->low);
}

TEST_CASE("change points are those of eight checks and more") {
  CHECK(site_change_points(checks_of({100, 100, 100, 90, 90, 90, 90})).empty());
  const auto points = site_change_points(checks_of({100, 100.5, 99.5, 100, 100.2, 90, 90.3, 89.7, 90, 90.1}));
  REQUIRE(points.size() == 1);
  CHECK(points[0].index == 5);
}
