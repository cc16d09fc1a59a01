#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/formats/format.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/template.hpp"
#include "reports/judge/deviations.hpp"
#include "tests/cpu_time.hpp"
#include "tests/reports/five_suites.hpp"
#include "tests/reports/hundred_nodes.hpp"

using namespace shakedown;
using fixture::quick_campaign;
using fixture::rendered;

namespace {

/// The campaign of the golden files: a pass, with a repetition, an interrupted attempt and a case that was
/// not run, so that the report shows all of its parts.
CampaignRecord golden_campaign() {
  CampaignRecord campaign = quick_campaign();
  CaseRecord& record = fixture::hpl(campaign);
  record.planned.warnings = {"N = 16896 fills 13 % of the memory"};
  record.attempts.push_back(fixture::attempt(2, "hpl-reference-1n", fixture::hpl_result(92.75, 34.67)));
  record.attempts.push_back(fixture::attempt(3, "hpl-reference-1n", fixture::hpl_result(92.91, 34.61)));
  AttemptRecord interrupted = fixture::attempt(4, "hpl-reference-1n", {});
  interrupted.state = AttemptState::interrupted;
  interrupted.exit_code = 143;
  interrupted.results.clear();
  interrupted.files = {fixture::job_script("hpl-reference-1n")};
  record.attempts.push_back(interrupted);
  CaseRecord network;
  network.planned.id = "nccl-all-reduce-1n";
  network.planned.suite = "nccl";
  network.planned.implementation = "nvidia";
  campaign.cases.push_back(network);
  fixture::in_turn(campaign);
  return campaign;
}

void check_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(TEST_FOLDER) + "/fixtures/reports/" + name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) REQUIRE(write_file(path, text));
  const auto golden = file_content(path);
  REQUIRE(golden);
  // Not a CHECK on both texts: Catch would print all of them.
  const bool same = *golden == text;
  INFO("differs from " << path << "; UPDATE_GOLDEN=1 rewrites it");
  CHECK(same);
}

size_t report_count(std::string_view text, std::string_view piece) {
  size_t found = 0;
  for (size_t at = text.find(piece); at != std::string_view::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("the report of a screening is the golden page") {
  check_golden("report.html", rendered("html", golden_campaign()));
}

TEST_CASE("the report of all five suites is the golden page") {
  check_golden("report-quick.html", rendered("html", fixture::five_suites()));
}

TEST_CASE("the report of a screening that other processes disturbed is the golden page, and undecided") {
  CampaignRecord campaign = golden_campaign();
  for (CaseRecord& record : campaign.cases)
    for (AttemptRecord& attempt : record.attempts)
      if (record.planned.suite == "hpl" && !attempt.results.empty()) attempt.conditions->foreign_cores = 0.9;
  const std::string page = rendered("html", campaign);
  CHECK(page.find("Screening undecided") != std::string::npos);
  check_golden("report-disturbed.html", page);
}

TEST_CASE("the report of the acceptance of a hundred nodes is the golden page") {
  check_golden("report-acceptance.html", rendered("html", fixture::hundred_nodes()));
}

TEST_CASE("the results of a screening are the golden document") {
  check_golden("results.json", rendered("json", golden_campaign()));
}

TEST_CASE("the report of a machine that failed and was disturbed is the golden page") {
  CampaignRecord campaign = quick_campaign();
  fixture::hpl(campaign) = fixture::hpl_case(60);
  fixture::hpl(campaign).attempts[0].results[0].validity = Validity::invalid;
  fixture::hpl(campaign).attempts[0].results[0].rules[1].status = RuleStatus::fail;
  fixture::hpl(campaign).attempts[0].results[0].rules[1].text = "the residual is 43.1";
  fixture::gemm(campaign).attempts[0].conditions->steal_ratio = 0.08;
  fixture::in_turn(campaign);
  check_golden("report-failed-disturbed.html", rendered("html", campaign));
  fixture::hpl(campaign) = fixture::hpl_case(60);
  fixture::gemm(campaign).attempts[0].conditions->steal_ratio = 0;
  fixture::in_turn(campaign);
  check_golden("report-failed.html", rendered("html", campaign));
}

TEST_CASE("what a rule or a criterion asks for reads as a demand, not as what was found") {
  CampaignRecord campaign = golden_campaign();
  ResultRecord& result = fixture::hpl(campaign).attempts[0].results[0];
  const auto rule = std::ranges::find(result.rules, "HPL-03", &RuleResult::id);
  REQUIRE(rule != result.rules.end());
  rule->status = RuleStatus::fail;
  rule->value = "43.1";
  result.validity = Validity::invalid;
  const std::string page = rendered("html", campaign);
  for (std::size_t at = page.find(rule->title); at != std::string::npos; at = page.find(rule->title, at + 1))
    CHECK(page.substr(at - 3, 3) == "“");
  CHECK(page.find("<b>HPL-03</b> asks: “" + rule->title.str() + "”. Found: 43.1") != std::string::npos);
  CHECK(page.find("Asks: “HPL passes its residual check") != std::string::npos);
}

TEST_CASE("a run just below its limit reads so in the table of criteria, too") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.criteria_text =
      "title = 'T'\n[[criteria]]\nid = 'rate'\ntitle = 'HPL is fast'\nsuite = 'hpl'\n"
      "metric = 'rmax_gflops'\ndirection = '>='\nlimit = 50.4132\naggregation = 'every'\n"
      "severity = 'mandatory'\nlimit_source = 'contract'\n";
  fixture::hpl(campaign) = fixture::hpl_case(50.4130);
  const std::string page = rendered("html", campaign);
  CHECK(page.find("≥ 50.4132 GFLOP/s") != std::string::npos);
  CHECK(page.find("every result: 50.4130 GFLOP/s") != std::string::npos);
  CHECK(page.find("≥ 50.413 GFLOP/s") == std::string::npos);
}

TEST_CASE("a rule that could not be checked stands in its suite with its words, not by its code alone") {
  const CampaignRecord campaign = fixture::hundred_nodes();
  const std::string page = rendered("html", campaign);
  std::size_t open = 0;
  for (const MeasuredCase& record : MeasuredCampaign(campaign).cases)
    for (const CountedResult& each : record.counted)
      for (const RuleResult& rule : each.result->rules) {
        if (rule.status != RuleStatus::unknown || !each.result->parsed.complete) continue;
        ++open;
        INFO(rule.id);
        CHECK(fixture::section(page, fmt::format("suite-{}", record.planned.suite))
                  .find(fmt::format("<b>{}</b> {}", std::string_view(rule.id), escaped(rule.title))) !=
              std::string::npos);
      }
  CHECK(open > 10);
}

TEST_CASE("a complete run looks neither like a valid one nor like an undecided one") {
  const std::set<std::string> icons = {state_icon(RunState::complete), state_icon(RunState::valid),
                                       state_icon(RunState::unproven), state_icon(RunState::not_run)};
  CHECK(icons.size() == 4);
  CHECK(fixture::section(rendered("html", fixture::five_suites()), "suite-io500")
            .find(state_icon(RunState::complete) + "Complete") != std::string::npos);
  const std::string page = rendered("html", fixture::five_suites());
  CHECK(page.substr(0, page.find("</section>")).find(state_icon(RunState::complete)) != std::string::npos);
}

TEST_CASE("a table of a paper is named behind the paper") {
  const std::string page = rendered("html", golden_campaign());
  CHECK(page.find("arXiv:2604.13600v2") < page.find("Table 5"));
  CHECK(fixture::section(page, "limits").find("arXiv:2604.13600v2, Table 5") != std::string::npos);
}

TEST_CASE("the same campaign gives the same bytes") {
  CHECK(rendered("html", golden_campaign()) == rendered("html", golden_campaign()));
  CHECK(rendered("json", golden_campaign()) == rendered("json", golden_campaign()));
}

TEST_CASE(
    "the first page names verdict, run, criteria and the hash of results.json, the next one the baseline") {
  const CampaignRecord campaign = golden_campaign();
  const std::string page = rendered("html", campaign);
  const std::string first = page.substr(0, page.find("</section>"));
  const std::string results_sha256 = sha256(rendered("json", campaign));
  for (const std::string& text :
       {std::string("Screening passed"), campaign.id, sha256(campaign.criteria_text).substr(0, 16),
        results_sha256, std::string("For the vendor"), std::string("Witness"),
        std::string("Do not quote as such")}) {
    INFO(text);
    CHECK(first.find(text) != std::string::npos);
  }
  CHECK(fixture::results_section(page).find(fixture::sakuraone().sha256.substr(0, 16)) != std::string::npos);
}

TEST_CASE("a busy machine's many disturbances are counted on the first page and listed behind it") {
  CampaignRecord campaign = fixture::five_suites();
  for (CaseRecord& record : campaign.cases) record.attempts[0].conditions->foreign_cores = 1.2;
  const std::string page = rendered("html", campaign);
  const std::string first = page.substr(0, page.find("</section>"));
  CHECK(first.find("<li>Every run was disturbed, 7 of 7.</li>") != std::string::npos);
  CHECK(report_count(first, "ther processes used 1.2 of the 2 cores during 7 runs;") == 1);
  CHECK(first.find("<li>Every run was disturbed, ") != std::string::npos);
  const std::string results = fixture::results_section(page);
  CHECK(report_count(results, "data-label=\"Disturbed by\"") == 7);
  for (std::size_t i = 0; i < 7; ++i) {
    campaign.cases.push_back(campaign.cases[i]);
    campaign.cases.back().planned.id += "-r2";
  }
  const std::string twice = fixture::results_section(rendered("html", campaign));
  const std::size_t rows = report_count(twice, "data-label=\"Disturbed by\"");
  CHECK(rows >= 7);
  CHECK(rows < 14);
  CHECK(twice.find(" more in results.json.") != std::string::npos);
}

TEST_CASE("markup in host names, logs and reasons stays text") {
  CampaignRecord campaign = golden_campaign();
  const std::string attack = "<script>alert(1)</script>\"'&";
  campaign.system = attack;
  campaign.id = attack;
  campaign.warnings = {attack};
  campaign.environment.push_back({attack, attack, attack});
  campaign.inventory.groups[0].hosts = attack;
  CaseRecord& record = fixture::hpl(campaign);
  record.planned.id = attack;
  record.planned.hosts = attack;
  record.planned.why[0].because = attack;
  record.attempts.back().files.at(0).excerpt = attack;  // its job script
  record.attempts[0].files.back().excerpt = attack + "</pre></html>";
  record.attempts[0].failure = attack;
  record.attempts[0].results[0].rules[0].value = attack;
  const std::string page = rendered("html", campaign);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("alert(1)&lt;/script&gt;&quot;&apos;&amp;") != std::string::npos);
  CHECK(report_count(page, "</html>") == 1);
  CHECK(page.find("@bottom-left { content: \"scriptalert1script\"") != std::string::npos);
}

TEST_CASE("200 texts that try to leave their place stay text wherever they stand") {
  const std::vector<std::string> shapes = {"</script><script>hurt({})</script>",
                                           "<img src=x onerror=\"hurt({})\">",
                                           "\"><svg onload=hurt({})>",
                                           "<!--<script>hurt({})",
                                           "]]><script>hurt({})</script>",
                                           "<iframe srcdoc=\"<script>hurt({})</script>\">",
                                           "<a href=\"javascript:hurt({})\">x</a>",
                                           "</style><style>*{{display:none}}</style>{}",
                                           "<base href=//hurt.invalid/>{}",
                                           "<meta http-equiv=refresh content=0;url=//hurt.invalid>{}",
                                           "{{{{{{css}}}}}}<b>{}",
                                           "</td></tr></table></section><h1>{}",
                                           "' onmouseover='hurt({})",
                                           "</pre></details>{}",
                                           "</title></head><body>{}",
                                           "<template>{}",
                                           "\" style=\"background:url(x){}",
                                           "</dl><form action=//x>{}",
                                           "--><object data=x>{}",
                                           "</svg><math href=x>{}"};
  CampaignRecord campaign = golden_campaign();
  CaseRecord& record = fixture::hpl(campaign);
  std::vector<std::string> all;
  for (int i = 0; i < 200; ++i)
    all.push_back(fmt::format(fmt::runtime(shapes[static_cast<std::size_t>(i) % shapes.size()]), i));
  std::size_t next = 0;
  const auto text = [&] { return all[next++ % all.size()]; };
  campaign.warnings.clear();
  for (int i = 0; i < 20; ++i) campaign.warnings.push_back(text());
  for (int i = 0; i < 50; ++i) campaign.environment.push_back({text(), text(), text()});
  for (int i = 0; i < 20; ++i) record.planned.warnings.push_back(text());
  for (Reason& each : record.planned.why) each = {text(), text(), text(), text()};
  for (RuleResult& each : record.attempts[0].results[0].rules) each.value = each.text = text();
  record.attempts[0].failure = text();
  record.attempts.back().files.at(0).excerpt = text();  // its job script
  for (auto& file : record.attempts[0].files) file.excerpt = file.name = text();
  campaign.note = text();
  campaign.system = text();
  REQUIRE(next >= all.size());
  const std::string page = rendered("html", campaign);
  for (const std::string& each : all) {
    INFO(each);
    CHECK(page.find(each) == std::string::npos);
  }
  for (const std::string_view tag : {"<script", "<img", "<iframe", "<base", "<b>1", "<form", "<object",
                                     "<math", "<template", "<svg on", "<a href=\"j", "<meta http-equiv=r"}) {
    INFO(tag);
    CHECK(page.find(tag) == std::string::npos);
  }
  for (const std::string_view once : {"</title>", "</style>", "</head>", "<body>", "<h1>"}) {
    INFO(once);
    CHECK(report_count(page, once) == 1);
  }
}

TEST_CASE("bytes that are no text neither break the page nor the document") {
  CampaignRecord campaign = golden_campaign();
  fixture::hpl(campaign).attempts[2].files.back().excerpt =
      std::string("a\x1b[0;31mred\x1b[0m \xff\xfe \0 end", 24);
  campaign.system = "caf\xe9";
  const std::string page = rendered("html", campaign);
  CHECK(page.find("ared \uFFFD\uFFFD  end") != std::string::npos);
  CHECK(page.find('\x1b') == std::string::npos);
  CHECK(nlohmann::json::parse(rendered("json", campaign))["system"] == "caf\uFFFD");
}

TEST_CASE("the report loads nothing and runs nothing") {
  const std::string page = rendered("html", golden_campaign());
  CHECK(page.find("content=\"default-src 'none'; style-src 'unsafe-inline'") != std::string::npos);
  for (const std::string_view loader :
       {"<script", "src=", "<link", "<img", "<iframe", "url(", "@import", "javascript:"}) {
    INFO(loader);
    CHECK(page.find(loader) == std::string::npos);
  }
  CHECK(report_count(page, "href=") == report_count(page, "href=\"#"));
}

TEST_CASE("results.json names its schema and gives every criterion its values and evidence") {
  const auto document = nlohmann::json::parse(rendered("json", golden_campaign()));
  CHECK(document["schema"] == "shakedown.results/1");
  CHECK(document["verdict"] == "pass");
  CHECK(document["exit_code"] == 0);
  const auto& criterion = document["criteria"][1];
  CHECK(criterion["id"] == "hpl-efficiency");
  CHECK(criterion["n"] == 3);
  CHECK(criterion["median"] == Approx(92.91 / 111.2));
  CHECK(criterion["limit"] == 0.7047);
  CHECK(criterion["baseline"] == 0.783);
  // A ratio over a median of one node is not set beside one over the best GPU of 98 nodes.
  CHECK_FALSE(criterion.contains("ratio"));
  CHECK(criterion["baseline_comparable"] == false);
  CHECK(criterion["evidence"]["path"] == "hpl-reference-1n/attempt-3/stdout.log");
  CHECK(document["cases"][1]["metrics"]["rmax_gflops"] == 92.91);
  CHECK(document["rules"].size() == 18);
  CHECK(document["deviations"].size() >= 2);
}

TEST_CASE("a value that is not a number is absent from results.json") {
  CampaignRecord campaign = quick_campaign();
  fixture::hpl(campaign).attempts[0].results[0].parsed.metrics[2].value = std::nan("");
  const auto document = nlohmann::json::parse(rendered("json", campaign));
  CHECK_FALSE(document["cases"][1]["metrics"].contains("residual"));
  CHECK(document["cases"][1]["metrics"].contains("rmax_gflops"));
}

TEST_CASE("a thousand cases without results are one compact table, quickly") {
  CampaignRecord campaign = quick_campaign();
  for (int i = 0; i < 1000; ++i) {
    CaseRecord record;
    record.planned.id = "probe-" + std::to_string(i);
    record.planned.suite = "probe";
    AttemptRecord attempt = fixture::attempt(1, record.planned.id, {});
    attempt.results.clear();
    record.attempts.push_back(attempt);
    campaign.cases.push_back(record);
  }
  const CpuTime took;
  const std::string page = rendered("html", campaign);
  const double seconds = took.seconds();
  INFO(seconds << " s, " << page.size() << " bytes");
  CHECK(page.find(">probe-999<") != std::string::npos);
  CHECK(page.size() < 600'000);
  CHECK(seconds < 2);
}

TEST_CASE("a thousand cases with results keep the page bounded") {
  CampaignRecord campaign = quick_campaign();
  for (int i = 0; i < 1000; ++i) {
    campaign.cases.push_back(fixture::hpl_case());
    campaign.cases.back().planned.id = "hpl-" + std::to_string(i);
    campaign.cases.back().attempts[0].files.back().excerpt = std::string(100'000, 'x');
  }
  const std::string page = rendered("html", campaign);
  CHECK(page.size() < 6'000'000);
  CHECK(page.find("id=\"case-hpl-50\"") != std::string::npos);
  CHECK(page.find("id=\"case-hpl-999\"") == std::string::npos);
}

TEST_CASE("the parties that the configuration states are on the first page") {
  std::ifstream golden(std::string(PROJECT_FOLDER) + "/tests/fixtures/reports/report-acceptance.html");
  const std::string page((std::istreambuf_iterator<char>(golden)), {});
  for (const char* stated : {"Example Systems Ltd", "Example University", "Hall 2, Example City",
                             "2026-114, annex 2", "A. Example"}) {
    INFO(stated);
    const auto at = page.find(stated);
    CHECK(at < page.find("aria-labelledby=\"results\""));
  }
}

TEST_CASE("a log of shakedown's own program is called so, whatever program the plan names") {
  CampaignRecord campaign = fixture::quick_campaign();
  for (CaseRecord& record : campaign.cases) record.planned.implementation = "netlib";
  const Judgement judgement = judge(MeasuredCampaign(campaign), nullptr, fixture::comparability()).value();
  CHECK(reference_notice(judgement).starts_with(
      "Measured with shakedown's own short programs, not the official HPL"));
  for (CaseRecord& record : campaign.cases)
    if (record.planned.suite == "hpl")
      for (AttemptRecord& attempt : record.attempts)
        for (ResultRecord& each : attempt.results) each.parsed.implementation = "netlib";
  const Judgement mixed = judge(MeasuredCampaign(campaign), nullptr, fixture::comparability()).value();
  CHECK(reference_notice(mixed).find("HPL was") == std::string::npos);
}
