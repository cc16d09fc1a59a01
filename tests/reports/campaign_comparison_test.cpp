#include "reports/campaign_comparison.hpp"

#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

/// A campaign of HPL with a repetition for each rate.
CampaignRecord rates(const std::vector<double>& gflops) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.cases.clear();
  for (const double rate : gflops) {
    CaseRecord record = fixture::hpl_case(rate);
    record.planned.parser = "hpl";
    record.planned.repetition = static_cast<int>(campaign.cases.size()) + 1;
    record.planned.id += fmt::format("-r{}", record.planned.repetition);
    campaign.cases.push_back(std::move(record));
  }
  return campaign;
}

std::vector<FigureComparison> compared(const CampaignRecord& before, const CampaignRecord& after) {
  return campaign_comparison(before, after, read_comparability(fixture::comparability(), "table").value());
}

FigureComparison rmax(const CampaignRecord& before, const CampaignRecord& after) {
  for (FigureComparison& figure : compared(before, after))
    if (figure.metric == "rmax_gflops") return std::move(figure);
  FAIL("no Rmax is compared");
  return {};
}

const std::vector<double> usual = {100, 100.2, 99.9, 100.1, 100.3};

}  // namespace

TEST_CASE("a loss beyond noise and magnitude is worse, with shift, interval, p and medians") {
  const FigureComparison figure = rmax(rates(usual), rates({95, 95.1, 94.9, 95.2, 94.8}));
  CHECK(figure.standing == Standing::worse);
  CHECK(figure.leading);
  CHECK(figure.median_before == 100.1);
  CHECK(figure.median_after == 95);
  REQUIRE(figure.statistics);
  CHECK(figure.statistics->p == Approx(2.0 / 252));  // the extreme deal of 5 and 5, on either side
  CHECK(figure.shift.value() == Approx(-0.051).margin(0.002));
  CHECK(figure.verdict.starts_with("5.1 % slower, more than noise ("));
}

TEST_CASE("a gain is better, whichever way a metric is read") {
  CHECK(rmax(rates({95, 95.1, 94.9, 95.2, 94.8}), rates(usual)).verdict.find("% faster, more than noise") !=
        std::string::npos);
  CampaignRecord slow = rates(usual);
  for (CaseRecord& record : slow.cases)
    for (Metric& metric : record.attempts[0].results[0].parsed.metrics)
      if (metric.name == "time_s") metric.value *= 1.1 + 0.001 * record.planned.repetition;
  for (const FigureComparison& figure : compared(rates(usual), slow))
    if (figure.metric == "time_s") {
      CHECK(figure.standing == Standing::worse);
      CHECK_FALSE(figure.leading);
      CHECK(figure.verdict.find("slower") != std::string::npos);
    }
}

TEST_CASE("the same is what refutes a difference that counts, not what merely shows none") {
  const FigureComparison figure = rmax(rates(usual), rates({100.1, 100, 100.2, 99.9, 100.2}));
  CHECK(figure.standing == Standing::same);
  CHECK(figure.verdict.starts_with("no difference of 2.0 % or more ("));
  // Three of five lost 2.2 %.
  const FigureComparison part =
      rmax(rates({50.00, 50.05, 49.95, 50.02, 49.98}), rates({48.90, 48.90, 48.95, 50.01, 50.03}));
  CHECK(part.standing == Standing::undecided);
  CHECK(part.verdict.starts_with(
      "can't be told from noise: 2.1 % slower, and \u22122.2 % to 0.1 % is possible"));
  CHECK(part.verdict.find("80 % of comparisons of as many runs find a difference of 1.7 %") !=
        std::string::npos);
}

TEST_CASE("a sure difference below what counts is no change") {
  const FigureComparison figure = rmax(rates(usual), rates({99.2, 99.1, 99.3, 99, 99.2}));
  CHECK(figure.standing == Standing::same);
  CHECK(figure.verdict.find("sure and below the 2.0 % that counts") != std::string::npos);
}

TEST_CASE("no share is shown as what counts, or beyond it, unless it is") {
  const FigureComparison figure =
      rmax(rates({50.00, 50.001, 49.999, 50.002, 49.998}), rates({49.02, 49.021, 49.019, 49.022, 49.018}));
  CHECK(figure.standing == Standing::same);
  CHECK(figure.verdict.starts_with("1.96 % slower, which is sure and below the 2.00 % that counts ("));
  const FigureComparison either =
      rmax(rates({50.00, 50.05, 49.95, 50.02, 49.98}), rates({49.02, 49.03, 49.01, 49.04, 49.005}));
  CHECK(either.standing == Standing::undecided);
  CHECK(either.verdict.starts_with(
      "1.96 % slower, which is sure; whether it is the 2.00 % that counts is not ("));
}

TEST_CASE("few runs are undecided, never the same: one against five, three against three") {
  const FigureComparison one = rmax(rates(usual), rates({90}));
  CHECK(one.standing == Standing::undecided);
  CHECK(one.verdict == "too few to tell: n = 5 and 1");
  CHECK_FALSE(one.statistics);
  CHECK(one.shift.value() == Approx(90 / 100.1 - 1));
  const FigureComparison three = rmax(rates({100, 100.1, 100.2}), rates({90, 90.1, 90.2}));
  CHECK(three.standing == Standing::undecided);
  CHECK(three.verdict.starts_with("too few to tell: n = 3 and 3"));
}

TEST_CASE("noise that hides what counts is undecided") {
  const FigureComparison figure = rmax(rates({90, 110, 100, 105, 95}), rates({97, 108, 99, 91, 103}));
  CHECK(figure.standing == Standing::undecided);
  CHECK(figure.verdict.starts_with("can't be told from noise: "));
}

TEST_CASE("invalid results are not compared, and a figure that lost them says so") {
  CampaignRecord after = rates(usual);
  for (CaseRecord& record : after.cases) record.attempts[0].results[0].validity = Validity::invalid;
  const auto figures = compared(rates(usual), after);
  for (const FigureComparison& figure : figures) {
    CHECK(figure.standing == Standing::not_compared);
    CHECK(figure.verdict == "no valid result after");
  }
  CHECK_FALSE(figures.empty());
  CHECK(overall_standing(figures) == Standing::undecided);  // what was there is gone: no "nothing worse"
}

TEST_CASE("another build is not compared where the table wants the same, and the condition is named") {
  CampaignRecord after = rates(usual);
  for (CaseRecord& record : after.cases) record.planned.implementation = "netlib";
  const FigureComparison figure = rmax(rates(usual), after);
  CHECK(figure.standing == Standing::not_compared);
  CHECK(figure.verdict.find("implementation reference before, netlib after") != std::string::npos);
}

TEST_CASE("another problem size is said, and compared only where the table has a rule for the metric") {
  CampaignRecord after = rates(usual);
  for (CaseRecord& record : after.cases) {
    for (Parameter& parameter : record.planned.parameters)
      if (parameter.name == "N") parameter.value = std::int64_t{4000};
  }
  bool said = false;
  for (const FigureComparison& figure : compared(rates(usual), after)) {
    if (figure.metric == "rmax_gflops") CHECK(figure.note.find(" before, 4000 after") != std::string::npos);
    if (figure.metric != "time_s") continue;
    said = true;
    CHECK(figure.standing == Standing::not_compared);
  }
  CHECK(said);
}

TEST_CASE("what has no counterpart is listed, and decides nothing") {
  CampaignRecord after = rates(usual);
  CampaignRecord more = after;
  more.cases.push_back(fixture::gemm_case());
  more.cases.back().planned.parser = "gemm";
  const auto figures = compared(after, more);
  CHECK(figures.back().verdict == "not compared: nothing like it was run before");
  CHECK(figures.back().before_case.empty());
  CHECK(overall_standing(figures) == Standing::same);
  CHECK(compared(more, after).back().verdict == "not compared: nothing like it was run after");
}

TEST_CASE("the direction of a metric is that of its unit; what has none is not compared") {
  CHECK(direction_of("rmax_gflops") == Better::higher);
  CHECK(direction_of("triad_mb_s") == Better::higher);
  CHECK(direction_of("samples_per_s") == Better::higher);
  CHECK(direction_of("score") == Better::higher);
  CHECK(direction_of("ior-easy-write", "GiB/s") == Better::higher);
  CHECK(direction_of("time_s") == Better::lower);
  CHECK(direction_of("time_to_train_min") == Better::lower);
  CHECK_FALSE(direction_of("residual"));
  CHECK_FALSE(direction_of("memory_total_gb"));
}

TEST_CASE("one leading figure that is worse decides, one that is undecided is not hidden by a better one") {
  std::vector<FigureComparison> figures(3);
  for (FigureComparison& figure : figures) figure.leading = true;
  figures[0].standing = Standing::better;
  figures[1].standing = Standing::same;
  CHECK(overall_standing(figures) == Standing::better);
  figures[2].standing = Standing::undecided;
  CHECK(overall_standing(figures) == Standing::undecided);
  figures[1].standing = Standing::worse;
  CHECK(overall_standing(figures) == Standing::worse);
  figures[1].leading = false;
  CHECK(overall_standing(figures) == Standing::undecided);
  CHECK(overall_standing({}) == Standing::not_compared);
}

TEST_CASE("values of all repetitions count, none is left out") {
  CHECK(rmax(rates({100, 1, 100, 100, 100}), rates(usual)).before ==
        std::vector<double>{100, 1, 100, 100, 100});
}
