#include "reports/measure/suite_metrics.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/reports/five_suites.hpp"

using namespace shakedown;
using fixture::case_of;
using fixture::five_suites;
using fixture::rendered;

namespace {

std::vector<SuiteResult> all_results(const CampaignRecord& campaign) {
  return suite_results(MeasuredCampaign(campaign),
                       read_comparability(fixture::comparability(), "comparability.toml").value());
}

SuiteResult suite_result(const CampaignRecord& campaign, std::string_view suite, std::string_view metric) {
  for (const SuiteResult& each : all_results(campaign))
    if (each.suite == suite && each.metric == metric) return each;
  FAIL("no result of " << suite << " " << metric);
  return {};
}

void drop(CampaignRecord& campaign, std::string_view suite) {
  std::erase_if(campaign.cases, [&](const CaseRecord& record) { return record.planned.suite == suite; });
}

double metric(const CampaignRecord& campaign, std::string_view suite, std::string_view name) {
  CampaignRecord copy = campaign;
  return case_of(copy, suite).attempts[0].results[0].parsed.metric(name)->value;
}

bool suite_metrics_holds(const std::string& page, std::string_view text) {
  return page.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("every suite of a screening is measured, and its peak is a measured one where there is one") {
  const CampaignRecord campaign = five_suites();
  const double fp64 = metric(campaign, "gemm", "fp64_gflops");
  const double fp32 = metric(campaign, "gemm", "fp32_gflops");
  const SuiteResult hpl = suite_result(campaign, "hpl", "rmax_gflops");
  CHECK(hpl.measured == metric(campaign, "hpl", "rmax_gflops"));
  CHECK(hpl.efficiency.value() == Approx(*hpl.measured / fp64));
  CHECK(hpl.basis == "of 104.8 GFLOP/s measured GEMM");
  CHECK(hpl.predicted->value == 72.93);
  const SuiteResult mxp = suite_result(campaign, "hpl-mxp", "rmax_gflops");
  CHECK(mxp.efficiency.value() == Approx(*mxp.measured / fp32));
  CHECK(mxp.basis == "of 201.3 GFLOP/s measured FP32 GEMM");
  CHECK(mxp.remark == "above 100 % by less than GEMM's own repetitions may differ: the reference is too low");
  const SuiteResult training = suite_result(campaign, "mlperf", "time_to_train_min");
  CHECK(training.measured.value() == Approx(14.06 / 60));
  CHECK(training.efficiency.value() == Approx(metric(campaign, "mlperf", "model_gflops") / fp32));
  CHECK(suite_result(campaign, "gemm", "fp64_gflops").basis ==
        "of 83.07 GFLOP/s, the peak at the base clock");
  CHECK(suite_result(campaign, "gemm", "fp32_gflops").efficiency_metric.empty());
}

TEST_CASE("a peak by a clock that is assumed is none") {
  CampaignRecord campaign = five_suites();
  campaign.inventory.groups[0].assumed = {"cpu.base_mhz"};
  const SuiteResult gemm = suite_result(campaign, "gemm", "fp64_gflops");
  CHECK_FALSE(gemm.efficiency);
  CHECK(gemm.basis == "no peak to compare with: the base clock, 2596 MHz, is assumed, not stated");
}

TEST_CASE("HPCG's efficiency is the bandwidth that its rate implies over the measured triad") {
  const CampaignRecord campaign = five_suites();
  const double triad_gb_s = metric(campaign, "stream", "triad_mb_s") / 1000;
  const SuiteResult hpcg = suite_result(campaign, "hpcg", "rating_gflops");
  CHECK(metric(campaign, "hpcg", "bandwidth_gb_s") / triad_gb_s > 4);
  CHECK_FALSE(hpcg.efficiency);
  CHECK(suite_metrics_holds(hpcg.basis, "GB/s measured STREAM Triad"));
  CHECK(hpcg.remark == "implausible: 4.6 times STREAM; ratio withheld");
  CHECK_FALSE(hpcg.predicted);
}

TEST_CASE("an efficiency whose peak was not measured says so, and has no value") {
  CampaignRecord campaign = five_suites();
  drop(campaign, "stream");
  const SuiteResult hpcg = suite_result(campaign, "hpcg", "rating_gflops");
  CHECK(hpcg.measured);
  CHECK_FALSE(hpcg.efficiency);
  CHECK(hpcg.basis == "no reference: STREAM was not measured in this campaign");
  CHECK(suite_metrics_holds(fixture::rendered("html", campaign), hpcg.basis));

  auto& metrics = case_of(campaign, "gemm").attempts[0].results[0].parsed.metrics;
  std::erase_if(metrics, [](const Metric& each) { return each.name.starts_with("fp32_"); });
  CHECK(suite_result(campaign, "hpl-mxp", "rmax_gflops").basis ==
        "no reference: FP32 GEMM was not measured in this campaign");
  CHECK(suite_result(campaign, "mlperf", "time_to_train_min").basis ==
        "no reference: FP32 GEMM was not measured in this campaign");
  CHECK(suite_result(campaign, "hpl", "rmax_gflops").efficiency);
  drop(campaign, "gemm");
  CHECK(suite_result(campaign, "hpl", "rmax_gflops").basis ==
        "no reference: GEMM was not measured in this campaign");
}

TEST_CASE("STREAM's own efficiency needs the memory's peak, which few machines tell") {
  CampaignRecord campaign = five_suites();
  const SuiteResult triad = suite_result(campaign, "stream", "triad_mb_s");
  CHECK(triad.measured);
  CHECK_FALSE(triad.efficiency);
  CHECK(triad.basis == "no peak to compare with: the memory channels are not known");
  campaign.inventory.groups[0].memory_bandwidth_gb_s = 76.8;
  CHECK(suite_result(campaign, "stream", "triad_mb_s").efficiency.value() == Approx(*triad.measured / 76800));
}

TEST_CASE("rates are those of all nodes of a case, and so is the peak") {
  CampaignRecord campaign = five_suites();
  const double before = *suite_result(campaign, "hpcg", "rating_gflops").efficiency;
  case_of(campaign, "hpcg").planned.nodes = 2;
  CHECK(*suite_result(campaign, "hpcg", "rating_gflops").efficiency == Approx(before / 2));
}

TEST_CASE("a case without a usable result says why in place of its value") {
  CampaignRecord campaign = five_suites();
  case_of(campaign, "hpl").attempts.clear();
  CHECK(suite_result(campaign, "hpl", "rmax_gflops").absent == "not run");
  case_of(campaign, "hpcg").attempts[0].results.clear();
  CHECK(suite_result(campaign, "hpcg", "rating_gflops").absent == "failed");
  ResultRecord& mxp = case_of(campaign, "hpl-mxp").attempts[0].results[0];
  mxp.validity = Validity::invalid;
  mxp.rules[0].status = RuleStatus::fail;
  CHECK(suite_result(campaign, "hpl-mxp", "rmax_gflops").absent == "invalid");
  CHECK_FALSE(suite_result(campaign, "hpl-mxp", "rmax_gflops").efficiency);
  campaign.refused = {
      {.suite = "io500", .benchmark = "", .rule = "IO5-07", .because = "no disk", .next_good = ""}};
  CHECK(all_results(campaign).back().absent == "refused by IO5-07");
  CHECK(suite_metrics_holds(fixture::rendered("html", campaign), "refused by IO5-07"));
}

TEST_CASE("the pretraining in a fine-tuning's log is not the fine-tuning's result") {
  CampaignRecord campaign = five_suites();
  CaseRecord& record = case_of(campaign, "mlperf");
  record = fixture::ran(fixture::reference_case("mlperf", "shakedown_lora"), "mlperf/shakedown/result_0.txt",
                        campaign.inventory);
  REQUIRE(record.attempts[0].results.size() == 2);
  const ResultRecord& own = record.attempts[0].results[1];
  CHECK(suite_result(campaign, "mlperf", "time_to_train_min").measured ==
        own.parsed.metric("time_to_train_min")->value);
  const auto document = nlohmann::json::parse(fixture::rendered("json", campaign));
  CHECK(document["cases"].back()["metrics"]["time_to_train_min"] ==
        own.parsed.metric("time_to_train_min")->value);
  CHECK(suite_metrics_holds(fixture::section(fixture::rendered("html", campaign), "suite-mlperf"),
                            "the training that the case&apos;s own one starts from"));
}

TEST_CASE("results.json has the results of the first page") {
  const auto document = nlohmann::json::parse(fixture::rendered("json", five_suites()));
  const auto& results = document["suite_results"];
  REQUIRE(results.size() == 9);
  const auto with = [&](const char* name, const char* value) {
    const auto found = std::ranges::find_if(results, [&](const auto& each) { return each[name] == value; });
    REQUIRE(found != results.end());
    return *found;
  };
  const auto hpcg = with("suite", "hpcg");
  CHECK(hpcg["efficiency_metric"] == "efficiency_stream");
  CHECK_FALSE(hpcg.contains("efficiency"));  // above 4 times STREAM
  CHECK(with("suite", "hpl")["efficiency"].get<double>() > 0);
  CHECK(with("suite", "hpl")["predicted"]["high"] == 156.8);
  CHECK(with("metric", "ior_easy_write_gib_s")["mark"] ==
        "short of the official rules on run length or number of runs");
}

TEST_CASE("a ratio that is withheld stands nowhere as a number") {
  const auto document = nlohmann::json::parse(rendered("json", five_suites()));
  const auto& criteria = document["criteria"];
  const auto withheld =
      std::ranges::find_if(criteria, [](const auto& each) { return each["id"] == "hpcg-stream"; });
  REQUIRE(withheld != criteria.end());
  CHECK((*withheld)["withheld"] == true);
  for (const char* member : {"measured", "median", "points", "range"})
    CHECK_FALSE(withheld->contains(member));
  const std::string page = rendered("html", five_suites());
  const std::string limits = page.substr(page.rfind("hpcg-stream<"));  // the annex of criteria and limits
  CHECK(limits.substr(0, limits.find("</tr>")).find("no ratio is printed") != std::string::npos);
}
