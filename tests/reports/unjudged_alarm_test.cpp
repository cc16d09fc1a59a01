#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::judged;
using fixture::quick_campaign;

namespace {

CaseRecord unjudged_case(const std::string& suite) {
  CaseRecord record;
  record.planned.id = suite + "-1n";
  record.planned.suite = suite;
  record.planned.hosts = "n1";
  ResultRecord result;
  result.parsed.suite = suite;
  record.attempts.push_back(fixture::attempt(1, record.planned.id, std::move(result)));
  return record;
}

std::ptrdiff_t said_unjudged(const Judgement& judgement) {
  return std::ranges::count_if(
      judgement.alarms, [](const std::string& alarm) { return alarm.starts_with("no criterion judges"); });
}

}  // namespace

TEST_CASE("suites that ran and that no criterion judges stand in one line of the verdict") {
  CampaignRecord campaign = quick_campaign();
  CHECK(said_unjudged(judged(campaign)) == 0);
  campaign.cases.push_back(unjudged_case("gpu-burn"));
  campaign.cases.push_back(unjudged_case("nvbandwidth"));
  campaign.cases.push_back(unjudged_case("nvbandwidth"));
  campaign.cases.push_back(unjudged_case("fio"));
  campaign.cases.back().attempts.clear();  // it did not run
  const Judgement judgement = judged(campaign);
  CHECK(std::ranges::count(judgement.alarms, "no criterion judges gpu-burn, nvbandwidth") == 1);
  CHECK(said_unjudged(judgement) == 1);
  const std::string page = fixture::rendered("html", MeasuredCampaign(campaign), judgement);
  CHECK(page.find("o criterion judges gpu-burn, nvbandwidth") != std::string::npos);
}

TEST_CASE("a screen that a criterion refers to is judged, and without criteria nothing is said") {
  CampaignRecord campaign = quick_campaign();
  campaign.criteria_text =
      "title = 'Contract'\n[[criteria]]\nid = \"hpl-efficiency\"\ntitle = \"HPL is fast\"\nsuite = "
      "\"hpl\"\nmetric = "
      "\"efficiency_gemm\"\ndirection = \">=\"\nlimit = 0.7\naggregation = \"median\"\nseverity = "
      "\"mandatory\"\nlimit_source = \"the test\"\n";
  CHECK(said_unjudged(judged(campaign)) == 0);
  campaign.criteria_text.clear();
  campaign.cases.push_back(unjudged_case("gpu-burn"));
  CHECK(said_unjudged(judged(campaign)) == 0);
}

TEST_CASE("a screen that left nothing is called on the first page what its runs are called") {
  CampaignRecord campaign = quick_campaign();
  campaign.cases.push_back(unjudged_case("nccl"));
  ParsedResult& parsed = campaign.cases.back().attempts.front().results.front().parsed;
  parsed.metrics = {{"max_busbw_gb_s", 300, 1}};
  const auto state = [&] {
    const std::string page = fixture::rendered("html", MeasuredCampaign(campaign), judged(campaign));
    const std::size_t row = page.find("<th scope=\"row\">NCCL");
    return page.substr(row, page.find("</tr>", row) - row);
  };
  CHECK(state().find("Not judged") != std::string::npos);
  campaign.cases.back().attempts.clear();
  CHECK(state().find("Not run") != std::string::npos);
  CHECK(state().find("Not judged") == std::string::npos);
}

TEST_CASE("a variable that names OpenBLAS another processor stands beside the verdict") {
  CampaignRecord campaign = quick_campaign();
  const auto said = [&] {
    return std::ranges::count(
        judged(campaign).alarms,
        "OPENBLAS_CORETYPE=Haswell was set where the runs were started (on n1): OpenBLAS used that "
        "processor's routines, which may be slower than its own choice");
  };
  CHECK(said() == 0);
  campaign.environment.push_back({"n1", "environment OPENBLAS_CORETYPE", "Haswell"});
  CHECK(said() == 1);
  CHECK(fixture::rendered("html", campaign).find("None besides those of the first page: every attempt") !=
        std::string::npos);
}

TEST_CASE("the exceptions name each rule that a result does not keep, or that could not be checked") {
  CampaignRecord campaign = quick_campaign();
  std::vector<RuleResult>& rules = fixture::hpl(campaign).attempts.back().results.back().rules;
  rules.push_back(fixture::rule("HPL-08", "The run is long enough for the list", RuleStatus::fail, "", 0));
  rules.push_back(fixture::rule("HPL-02", "FP64 is computed by the hardware", RuleStatus::unknown, "", 0));
  const std::string page = fixture::rendered("html", campaign);
  CHECK(page.find(">HPL: not kept HPL-06c, HPL-08; not checked HPL-02, HPL-07a.</p>") != std::string::npos);
}

TEST_CASE(
    "a row of the first page is of official programs where some ran, and the notice counts the others") {
  CampaignRecord campaign = quick_campaign();
  CaseRecord official = fixture::hpl_case(200);
  official.planned.id = "hpl-netlib-1n";
  official.planned.implementation = "netlib";
  for (AttemptRecord& attempt : official.attempts)
    for (ResultRecord& result : attempt.results) result.parsed.implementation = "netlib";
  campaign.cases.push_back(official);
  const std::string page = fixture::first_page(fixture::rendered("html", campaign));
  CHECK(page.find("200.0 GFLOP/s") != std::string::npos);
  CHECK(page.find("median of 2 cases") == std::string::npos);
  CHECK(page.find("runs of HPL: shakedown’s own") + page.find("runs of HPL: shakedown&apos;s own") !=
        2 * std::string::npos);
}
