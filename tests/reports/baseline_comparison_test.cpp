#include "reports/judge/baseline_comparison.hpp"

#include <catch2/catch.hpp>

#include "reports/compare/metric_verdict.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

/// A campaign of HPL with a repetition for each rate.
CampaignRecord baseline_comparison_rates(const std::vector<double>& gflops) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.cases.clear();
  for (const double rate : gflops) {
    CaseRecord record = fixture::hpl_case(rate);
    record.planned.repetition = static_cast<int>(campaign.cases.size()) + 1;
    record.planned.id += fmt::format("-r{}", record.planned.repetition);
    campaign.cases.push_back(std::move(record));
  }
  return campaign;
}

/// A case beside a published value.
Comparison beside(const CaseRecord& record, const std::string& metric, double published) {
  Comparison row;
  row.case_id = record.planned.id;
  row.suite = "hpl";
  row.metric = metric;
  row.normalisation = "absolute";
  row.baseline = published;
  row.comparable = true;
  row.condition = "equal: precision";
  return row;
}

std::vector<BaselineComparison> compared(const CampaignRecord& campaign,
                                         const std::vector<Comparison>& rows) {
  return baseline_comparisons(MeasuredCampaign(campaign), rows,
                              read_comparability(fixture::comparability(), "table").value());
}

/// All cases beside one value.
std::vector<BaselineComparison> compared(const CampaignRecord& campaign, const std::string& metric,
                                         double published) {
  std::vector<Comparison> rows;
  for (const CaseRecord& record : campaign.cases) rows.push_back(beside(record, metric, published));
  return compared(campaign, rows);
}

}  // namespace

TEST_CASE("repetitions are one row with their median, and one run says that it is one") {
  const auto three = compared(baseline_comparison_rates({48, 49, 49.5}), "rmax_gflops", 50);
  REQUIRE(three.size() == 1);
  CHECK(three[0].cases == 3);
  CHECK(three[0].row.measured == 49);
  CHECK(three[0].row.ratio.value() == Approx(0.98));
  CHECK(three[0].verdict ==
        "2.0 % slower: median of 3 runs, too few for an interval, all (96.0 % to 99.0 % of it) below it");
  CHECK_FALSE(three[0].coverage);
  CHECK(compared(baseline_comparison_rates({49}), "rmax_gflops", 50)[0].verdict ==
        "2.0 % slower: one run, so the spread is unknown");
  CHECK(compared(baseline_comparison_rates({48, 51}), "rmax_gflops", 50)[0].verdict.ends_with(
      "on both sides of it"));
}

TEST_CASE("from six runs on the median has an interval, and no p") {
  const auto six = compared(baseline_comparison_rates({48, 48.1, 48.2, 48.3, 48.4, 48.5}), "rmax_gflops", 50);
  CHECK(six[0].coverage.value() == Approx(0.96875));
  CHECK(six[0].verdict ==
        "3.5 % slower: median of 6 runs, its 97 % interval (96.0 % to 97.0 % of it) lies below it");
  CHECK(compared(baseline_comparison_rates({48, 49, 50, 51, 52, 53}), "rmax_gflops", 50)[0].verdict.ends_with(
      "holds it"));
}

TEST_CASE("a time above the published one is slower, and says so") {
  const CampaignRecord campaign = baseline_comparison_rates({50});
  const double time = campaign.cases[0].attempts[0].results[0].parsed.metric("time_s")->value;
  const auto found = compared(campaign, "time_s", time / 1.1);
  CHECK(found[0].verdict.starts_with("10.0 % slower"));
  CHECK(found[0].row.ratio.value() == Approx(1.1));
}

TEST_CASE("an efficiency is lower or higher, never slower or faster") {
  const CampaignRecord campaign = fixture::quick_campaign();
  for (const auto& [published, word] : {std::pair(0.99, " lower"), std::pair(0.5, " higher")}) {
    const auto found = compared(campaign, {beside(campaign.cases[1], "efficiency_gemm", published)});
    REQUIRE(found.size() == 1);
    CHECK(found[0].verdict.find(word) != std::string::npos);
    CHECK(found[0].verdict.find("er: one run") != std::string::npos);
  }
  for (const char* metric : {"rmax_gflops", "time_s", "triad_mb_s", "tokens_per_s_per_gpu"})
    CHECK(is_speed(metric));
  for (const char* metric : {"efficiency_gemm", "reliability", "score"}) CHECK_FALSE(is_speed(metric));
  CHECK(is_speed("ior-easy-write", "GiB/s"));
  CHECK_FALSE(is_speed("overlap", "%"));
}

TEST_CASE("cases that are not comparable are left aside and counted; where none is, the reason stands") {
  const CampaignRecord campaign = baseline_comparison_rates({48, 49});
  Comparison bad = beside(campaign.cases[1], "rmax_gflops", 50);
  bad.comparable = false;
  bad.condition = "no valid result here";
  const auto mixed = compared(campaign, {bad, beside(campaign.cases[0], "rmax_gflops", 50)});
  REQUIRE(mixed.size() == 1);
  CHECK(mixed[0].row.comparable);
  CHECK(mixed[0].runs == std::vector<double>{48});
  CHECK(mixed[0].verdict.ends_with("; 1 of 2 cases not comparable"));
  CHECK(compared(campaign, {bad})[0].verdict == "not comparable: no valid result here");
}
