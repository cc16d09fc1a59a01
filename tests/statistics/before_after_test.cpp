#include "reports/statistics/before_after.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace shakedown;

namespace {

const std::vector<double> before = {100.2, 99.6, 100.5, 99.9, 100.1, 99.8};
const std::vector<double> lower = {94.9, 95.3, 95.1, 94.6, 95.0, 95.4};

}  // namespace

TEST_CASE("a loss of 5 % over six runs is worse, with its interval") {
  const auto found = before_after(before, lower);
  REQUIRE(found);
  CHECK(found->change == ChangeFinding::worse);
  CHECK(found->shift == Approx(-0.05).margin(0.002));
  CHECK(found->low < found->shift);
  CHECK(found->high < -0.04);
  CHECK(found->p == Approx(2.0 / 924));
  CHECK(before_after(before, lower, Better::lower)->change == ChangeFinding::better);
  CHECK(before_after(lower, before)->change == ChangeFinding::better);
}

TEST_CASE("what is sure and below 2 % is no change") {
  std::vector<double> slightly;
  for (const double value : before) slightly.push_back(value * 0.985);
  CHECK(before_after(before, slightly)->p < 0.05);
  CHECK(before_after(before, slightly)->change == ChangeFinding::same);
  CHECK(before_after(before, slightly, Better::higher, {.magnitude = 0.01})->change == ChangeFinding::worse);
  CHECK(before_after(before, before)->change == ChangeFinding::same);
}

TEST_CASE("an interval that holds a loss that counts is undecided, though none is significant") {
  // Three of five runs lost 2.2 %: p is 0.29.
  const auto found = before_after(std::vector<double>{50.00, 50.05, 49.95, 50.02, 49.98},
                                  std::vector<double>{48.90, 48.90, 48.95, 50.01, 50.03});
  REQUIRE(found);
  CHECK(found->can_be_sure);
  CHECK(found->p > 0.05);
  CHECK(found->low < -0.02);
  CHECK(found->change == ChangeFinding::undecided);
}

TEST_CASE("a sure change whose size may or may not count is undecided") {
  std::vector<double> nearly;
  for (const double value : before) nearly.push_back(value * 0.981);
  const auto found = before_after(before, nearly);
  CHECK(found->p < 0.05);
  CHECK(found->shift > -0.02);
  CHECK(found->low < -0.02);
  CHECK(found->change == ChangeFinding::undecided);
}

TEST_CASE("three runs against three show a loss alone, and only where all three lie below") {
  struct Row {
    std::vector<double> before;
    std::vector<double> after;
    Better better;
    ChangeFinding change;
    double p_loss;
  };
  const std::vector<double> three = {100.2, 99.6, 100.5};
  for (const Row& row :
       {Row{three, {94.9, 95.3, 95.1}, Better::higher, ChangeFinding::worse, 0.05},
        Row{three, {94.9, 95.3, 99.7}, Better::higher, ChangeFinding::undecided, 0.1},
        Row{{94.9, 95.3, 95.1}, three, Better::higher, ChangeFinding::undecided, 1},
        Row{{94.9, 95.3, 95.1}, three, Better::lower, ChangeFinding::worse, 0.05},
        Row{three, {99.2, 99.1, 99.3}, Better::higher, ChangeFinding::undecided, 0.05},
        Row{{100, 101}, {90, 91}, Better::higher, ChangeFinding::undecided, 1.0 / 6},
        Row{{100, 101}, {90, 91, 92, 93, 94}, Better::higher, ChangeFinding::worse, 1.0 / 21}}) {
    const auto found = before_after(row.before, row.after, row.better);
    REQUIRE(found);
    CHECK(found->change == row.change);
    CHECK(found->p_loss == Approx(row.p_loss));
    CHECK_FALSE(found->can_be_sure);
  }
}

TEST_CASE("with earlier days the interval is of two days, not of their runs") {
  // Days of deviation 0.02: the error of a difference is 0.0283, and t of 8 - 1 days at 0.025 is 2.365.
  const DaySpread days{.deviation = 0.02, .days = 8, .runs = 6, .independent = 8};
  const auto found = before_after(before, lower, Better::higher, {}, days);
  REQUIRE(found);
  CHECK(found->change == ChangeFinding::undecided);
  CHECK(found->shift == before_after(before, lower)->shift);
  CHECK(found->low == Approx(found->shift - 2.3646 * 0.0282843).margin(1e-5));
  CHECK(found->high == Approx(found->shift + 2.3646 * 0.0282843).margin(1e-5));
  CHECK(found->coverage == 0.95);
  CHECK(found->p > 0.05);
  CHECK(before_after(before, lower, Better::higher, {},
                     DaySpread{.deviation = 0.005, .days = 8, .runs = 6, .independent = 8})
            ->change == ChangeFinding::worse);
  // Fewer runs than on those days are less sure; more are no surer.
  const std::vector<double> two = {94.0, 96.0};
  const DaySpread of_six{.deviation = 0.001, .days = 8, .runs = 6, .independent = 8};
  const DaySpread of_two{.deviation = 0.001, .days = 8, .runs = 2, .independent = 8};
  CHECK(before_after(before, two, Better::higher, {}, of_six)->low <
        before_after(before, two, Better::higher, {}, of_two)->low);
  CHECK(before_after(before, before, Better::higher, {}, of_two)->change == ChangeFinding::same);
}

TEST_CASE("the spread of days is that of their medians") {
  const std::vector<MeasuredDay> days = {{0, {100, 90, 101}}, {7, {102}}, {14, {98, 98}}};
  const auto found = day_spread(days, 7);
  REQUIRE(found);
  CHECK(found->deviation == Approx(0.02).margin(2e-5));
  CHECK(found->days == 3);
  CHECK(found->independent == 3);
  CHECK(found->runs == Approx(3 / (1.0 / 3 + 1 + 0.5)));
  CHECK_FALSE(day_spread(std::span(days).first(2), 7));
}

TEST_CASE("days that follow each other do not say how much days a week apart differ") {
  // Two weeks and a day: a level each week, and days within it that hardly differ.
  std::vector<MeasuredDay> days;
  for (int day = 0; day < 15; ++day)
    days.push_back({day, {(day / 7 == 1 ? 104.0 : 100.0) + 0.01 * (day % 7)}});
  CHECK_FALSE(day_spread(std::span(days).first(14), 7));  // of them two lie a week apart
  const auto week = day_spread(days, 7);
  REQUIRE(week);
  CHECK(week->days == 15);
  CHECK(week->independent == 3);
  // Of 36 pairs a week or more apart 28 are of both weeks, one of the second and the last day, 7 of one
  // level.
  const double step = std::log(1.04);
  CHECK(week->deviation == Approx(step * std::sqrt((28 + 1) / 2.0 / 36)).epsilon(0.02));
  const auto day = day_spread(days, 1);
  REQUIRE(day);
  CHECK(day->independent == 15);
  CHECK(day->deviation < week->deviation);
  // So few independent days are less sure: t of 3 - 1 days at 0.025 is 4.303.
  const auto found = before_after(before, before, Better::higher, {}, week);
  REQUIRE(found);
  CHECK(found->high == Approx(4.3027 * std::sqrt(2.0) * week->deviation).epsilon(0.2));
}

TEST_CASE("independent dates are counted from the newest back, and a gap makes no more of them") {
  const std::vector<long> dates = {0, 1, 2, 100, 101, 107, 108};
  CHECK(independent_dates(dates, 7) == std::vector<long>{108, 101, 2});
  CHECK(independent_dates(dates, 1).size() == 7);
  CHECK(independent_dates({}, 7).empty());
}

TEST_CASE("noise that hides a change of the magnitude leaves it undecided") {
  const std::vector<double> noisy = {90, 110, 95, 105, 99, 102};
  const auto found = before_after(before, noisy);
  CHECK(found->change == ChangeFinding::undecided);
  CHECK(found->low < -0.02);
}

TEST_CASE("a single published value and a median that is not above 0 are refused") {
  CHECK_FALSE(before_after(std::vector<double>{100}, lower));
  CHECK_FALSE(before_after(std::vector<double>{-1, -2, -3}, lower));
  CHECK_FALSE(before_after(before, lower, Better::higher, {.significance = 0}));
}
