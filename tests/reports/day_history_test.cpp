#include "reports/compare/day_history.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/time.hpp"
#include "reports/compare/campaign_comparison.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

constexpr double first_day = 1795284309;

/// Five runs of HPL on one node, `day` days after the first.
CampaignRecord campaign_of(const std::string& id, int day, std::vector<double> rates) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.id = id;
  campaign.created_s = first_day + day * day_s;
  campaign.cases.clear();
  for (std::size_t i = 0; i < rates.size(); ++i) {
    campaign.cases.push_back(fixture::hpl_case(rates[i]));
    if (i > 0) campaign.cases.back().planned.id += fmt::format("-r{}", i + 1);
    campaign.cases.back().planned.repetition = static_cast<int>(i) + 1;
  }
  return campaign;
}

/// The series of campaigns: each with its day and the values of its runs on n1.
struct DayHistoryValues {
  std::string campaign;
  int day = 0;
  std::vector<double> values;
};

SystemSeries series_of(const std::vector<DayHistoryValues>& all) {
  SystemSeries past;
  MetricSeries series;
  series.suite = "hpl";
  series.implementation = "reference";
  series.nodes = 1;
  series.metric = "rmax_gflops";
  for (const DayHistoryValues& each : all)
    for (std::size_t i = 0; i < each.values.size(); ++i) {
      SeriesRun run;
      run.campaign = each.campaign;
      run.case_id = i == 0 ? "hpl-reference-1n" : fmt::format("hpl-reference-1n-r{}", i + 1);
      run.at_s = first_day + each.day * day_s;
      run.hosts = "n1";
      run.validity = Validity::valid;
      run.complete = true;
      series.points.push_back({static_cast<std::uint32_t>(past.runs.size()), each.values[i]});
      past.runs.push_back(run);
    }
  past.series.push_back(series);
  return past;
}

const std::vector<double> usual_day = {100, 100.1, 99.9, 100.2, 99.8};
const std::vector<double> slow_day = {96, 96.1, 95.9, 96.2, 95.8};

MetricComparison rmax_of(const SystemSeries* past) {
  const MeasuredCampaign before(campaign_of("a", 70, usual_day));
  const MeasuredCampaign after(campaign_of("b", 77, slow_day));
  const auto table = read_comparability(fixture::comparability(), "comparability.toml");
  for (MetricComparison& each : campaign_comparison(before, after, *table, {}, past))
    if (each.metric == "rmax_gflops") return std::move(each);
  throw std::runtime_error("not compared");
}

}  // namespace

TEST_CASE("a difference that days show by themselves is no loss, and one that they don't is") {
  const DayHistoryValues before{"a", 70, usual_day};
  const DayHistoryValues after{"b", 77, slow_day};
  const auto with_days = [&](double spread, int every = 7) {
    std::vector<DayHistoryValues> all;
    for (int day = 0; day < 9; ++day)
      all.push_back(
          {fmt::format("c{}", day), day * every, std::vector<double>(5, 100 + spread * (day % 3 - 1))});
    all.push_back(before);
    all.push_back(after);
    return series_of(all);
  };
  const MetricComparison of_two_days = rmax_of(nullptr);
  CHECK(of_two_days.change == ChangeVerdict::worse);
  CHECK(of_two_days.verdict.starts_with("4.0 % slower, more than the noise within these days ("));

  const SystemSeries calm = with_days(0.2);
  const MetricComparison proven = rmax_of(&calm);
  CHECK(proven.change == ChangeVerdict::worse);
  CHECK(proven.verdict.starts_with("4.0 % slower, more than noise (95 % interval"));
  CHECK(proven.verdict.ends_with("n = 5 and 5, 9 earlier days differ by 0.2 %)"));

  // Nine days in a row say nothing of days a week apart.
  const SystemSeries daily = with_days(0.2, 1);
  CHECK_FALSE(rmax_of(&daily).statistics->days);

  const SystemSeries restless = with_days(3);
  const MetricComparison open = rmax_of(&restless);
  CHECK(open.change == ChangeVerdict::undecided);
  CHECK(open.statistics->low < -0.08);
  CHECK(open.statistics->high > 0);
  CHECK(open.verdict.starts_with("cannot be distinguished from noise: 4.0 % slower, and "));
}

TEST_CASE("two days show no spread, and runs of the days that are compared are none of them") {
  const SystemSeries few = series_of({{"c", 1, usual_day},
                                      {"d", 8, usual_day},
                                      {"e", 70, {50, 50}},
                                      {"f", 77, {50, 50}},
                                      {"g", 80, {50, 50}},
                                      {"a", 70, usual_day},
                                      {"b", 77, slow_day}});
  CHECK_FALSE(rmax_of(&few).statistics->days);
  // Days between the two count where those before the first are too few.
  const SystemSeries between = series_of({{"c", 1, usual_day},
                                          {"d", 50, usual_day},
                                          {"e", 73, usual_day},
                                          {"a", 70, usual_day},
                                          {"b", 77, slow_day}});
  REQUIRE(rmax_of(&between).statistics->days);
  CHECK(rmax_of(&between).statistics->days->days == 3);
}

TEST_CASE("runs of other parameters, invalid ones and those of other nodes show nothing of these days") {
  SystemSeries past = series_of({{"c", 1, usual_day},
                                 {"d", 8, usual_day},
                                 {"e", 15, usual_day},
                                 {"a", 70, usual_day},
                                 {"b", 77, slow_day}});
  CHECK(rmax_of(&past).statistics->days);
  SystemSeries invalid = past;
  for (SeriesRun& run : invalid.runs)
    if (run.campaign == "c") run.validity = Validity::invalid;
  CHECK_FALSE(rmax_of(&invalid).statistics->days);
  SystemSeries elsewhere = past;
  for (SeriesRun& run : elsewhere.runs)
    if (run.campaign == "c") run.hosts = "n2";
  CHECK_FALSE(rmax_of(&elsewhere).statistics->days);
  SystemSeries other = past;
  other.series.push_back(other.series.front());
  std::erase_if(other.series.front().points, [](const SeriesPoint& point) { return point.run < 5; });
  std::erase_if(other.series.back().points, [](const SeriesPoint& point) { return point.run >= 5; });
  CHECK_FALSE(rmax_of(&other).statistics->days);
}
