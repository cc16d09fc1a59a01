#include "reports/statistics/watch.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace shakedown;

namespace {

/// Twelve runs about 100 with a coefficient of variation of 1 %.
const std::vector<double> twelve = {100.2, 99.1,  101.3, 98.8,  100.6, 99.7,
                                    101.0, 100.1, 98.9,  100.4, 99.6,  100.9};

std::vector<double> with(std::vector<double> values, std::vector<double> more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

const std::vector<double> slow_repeats = {95.2, 94.4, 95.6, 94.9, 95.8, 94.1,
                                          95.3, 95.0, 94.7, 95.5, 94.6, 95.1};

}  // namespace

TEST_CASE("a run like those before is in control") {
  const auto values = with(twelve, {99.5});
  const auto said = watch({.values = values});
  REQUIRE(said);
  CHECK(said->state == WatchState::in_control);
  CHECK(said->repeats_wanted == 0);
  CHECK(said->expected == Approx(100).epsilon(0.01));
  CHECK(said->text.starts_with("in control: the last "));
}

TEST_CASE("a loss of 5 % is suspect, wants repeats, and is an alarm once they are clear") {
  const auto values = with(twelve, {94.8});
  Watched said = *watch({.values = values});
  CHECK(said.state == WatchState::suspect);
  CHECK(said.repeats_wanted == 2);
  CHECK(said.since == 12);
  CHECK(said.loss == Approx(0.05).margin(0.01));
  std::size_t made = 0;
  while (said.state == WatchState::suspect && made < slow_repeats.size()) {
    made += said.repeats_wanted;
    REQUIRE(made <= slow_repeats.size());
    said = *watch({.values = values, .repeats = std::span(slow_repeats).first(made)});
  }
  CHECK(said.state == WatchState::alarm);
  REQUIRE(said.evidence.interval);
  CHECK(said.evidence.of == std::to_string(made) + " repeats");
  CHECK(said.evidence.interval->low > 0.02);
  CHECK(said.evidence.interval->low < said.evidence.loss);
  CHECK(said.evidence.loss < said.evidence.interval->high);
  CHECK(said.evidence.p < WatchLimits{}.significance());
  CHECK(said.text.starts_with("since run 13: "));
  CHECK(said.text.find("Student's t p = ") != std::string::npos);
}

TEST_CASE("repeats as fast as ever end the suspicion") {
  const auto values = with(twelve, {94.8});
  const std::vector<double> well = {99.8, 100.7};
  const auto said = *watch({.values = values, .repeats = well});
  CHECK(said.state == WatchState::not_confirmed);
  CHECK(said.repeats_wanted == 0);
  CHECK(said.text.starts_with("not confirmed: 2 repeats lie "));
}

TEST_CASE("one slow run among the repeats is no proof") {
  const auto values = with(twelve, {88});
  const std::vector<double> one_slow = {88, 100.2, 99.9, 100.6};
  CHECK(watch({.values = values, .repeats = one_slow})->state != WatchState::alarm);
}

TEST_CASE("a loss below 2 % is no alarm, however sure it is") {
  std::vector<double> values(12, 100.0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += i % 2 == 0 ? 0.01 : -0.01;
  values.push_back(98.5);
  CHECK(watch({.values = values})->state == WatchState::in_control);
  values.back() = 97.5;
  CHECK(watch({.values = values})->state == WatchState::suspect);
  CHECK(watch({.values = values}, {.magnitude = 0.03})->state == WatchState::in_control);
}

TEST_CASE("a time that grows is the loss that a falling rate is") {
  std::vector<double> rates = with(twelve, {95});
  std::vector<double> times;
  for (const double rate : rates) times.push_back(1e6 / rate);
  const auto rate = *watch({.values = rates});
  const auto time = *watch({.values = times, .better = Better::lower});
  CHECK(rate.state == WatchState::suspect);
  CHECK(time.state == WatchState::suspect);
  CHECK((1 - rate.loss) * (1 + time.loss) == Approx(1));
  CHECK(watch({.values = rates, .better = Better::lower})->state == WatchState::in_control);
}

TEST_CASE("a loss that nobody declared does not become the new normal") {
  std::vector<double> values = twelve;
  for (int week = 0; week < 20; ++week) {
    values.push_back(95 + 0.3 * (week % 3));
    const auto said = *watch({.values = values});
    CHECK(said.state == WatchState::suspect);
    CHECK(said.since == 12);
  }
  // If it is declared, the control region begins again with it.
  CHECK(watch({.values = values, .control_from = 12})->state == WatchState::in_control);
  CHECK(watch({.values = values, .control_from = 30})->state == WatchState::too_few);
}

TEST_CASE("a gain that nobody declared does not hide the loss of a part of it") {
  std::vector<double> values;
  for (int i = 0; i < 8; ++i) values.push_back(twelve[static_cast<std::size_t>(i)]);
  for (int i = 0; i < 26; ++i) values.push_back(1.1 * twelve[static_cast<std::size_t>(i % 12)]);
  const auto better = *watch({.values = values});
  CHECK(better.state == WatchState::in_control);
  REQUIRE(better.gain);
  CHECK(better.gain->since == 8);
  CHECK(better.gain->share == Approx(0.1).margin(0.01));
  CHECK(better.expected == Approx(110).epsilon(0.01));
  values.push_back(110 * 0.948);
  std::vector<double> repeats;
  for (const double run : slow_repeats) repeats.push_back(1.1 * run);
  const auto lost = *watch({.values = values, .repeats = repeats});
  CHECK(lost.state == WatchState::alarm);
  CHECK(lost.since == 34);
  // A time that falls is a gain, too.
  for (double& value : values) value = 1e6 / value;
  CHECK(watch({.values = values, .better = Better::lower})->gain.value().share ==
        Approx(1 - 1 / 1.1).margin(0.01));
  CHECK_FALSE(watch({.values = twelve})->gain);
}

TEST_CASE("where the runs of a check share their noise, three checks prove a loss that one does not") {
  const auto slow_by = [](double less) {
    std::vector<double> runs = slow_repeats;
    for (double& run : runs) run += 5 - less;
    return runs;
  };
  std::vector<double> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = twelve[i % 12];
  values = with(values, {97});
  const std::vector<double> newest = slow_by(3);
  const WatchLimits limits = {.series_watched = 40};
  WatchedSeries series = {.values = values, .repeats = newest, .shared = 0.5, .by_checks = true};
  const auto one = *watch(series, limits);
  CHECK(one.state == WatchState::not_confirmed);
  CHECK(one.evidence.of == "12 repeats");
  CHECK_THAT(one.text,
             Catch::EndsWith("50.0 % of the variance is common to the runs of a check, so 3 checks decide"));
  series.by_checks = false;
  CHECK(watch(series, limits)->state == WatchState::alarm);
  series.by_checks = true;

  values = with(values, {96.8, 97.2});
  const std::vector<std::vector<double>> slow = {slow_by(3.2), slow_by(2.9)};
  series.values = values;
  series.earlier = slow;
  const auto three = *watch(series, limits);
  CHECK(three.state == WatchState::alarm);
  CHECK(three.evidence.of == "the repeats of the last 3 checks");
  CHECK(three.evidence.loss == Approx(0.03).margin(0.003));
  CHECK(three.evidence.interval.value().low > 0.02);

  // One of the three that was as ever takes that proof away.
  const std::vector<std::vector<double>> between = {slow_by(3.2), {99.7}};
  series.earlier = between;
  CHECK(watch(series, limits)->state == WatchState::not_confirmed);
  const std::vector<std::vector<double>> broken = {{-1}, newest};
  series.earlier = broken;
  CHECK(watch(series, limits).error().what.starts_with("the repeats of earlier checks hold -1"));
  const std::vector<std::vector<double>> empty = {{}, newest};
  series.earlier = empty;
  CHECK_FALSE(watch(series, limits));
}

TEST_CASE("where the runs of a check share their noise one slow run among the repeats is no proof, either") {
  std::vector<double> values(200);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = twelve[i % 12];
  values = with(values, {85});
  const WatchLimits limits = {.series_watched = 40};
  const std::vector<double> one_slow = {70, 100};
  WatchedSeries series = {.values = values, .repeats = one_slow, .shared = 0.5, .by_checks = true};
  CHECK(watch(series, limits)->evidence.p < limits.significance() * limits.significance() * 0.01);
  CHECK(watch(series, limits)->state == WatchState::suspect);
  const std::vector<double> both_slow = {85, 85.5};
  series.repeats = both_slow;
  CHECK(watch(series, limits)->state == WatchState::alarm);
}

TEST_CASE("a loss that one check shows is reported as its own, whatever the checks before were") {
  std::vector<double> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = twelve[i % 12];
  values = with(values, {99.7, 100.1, 99.9, 97});
  std::vector<double> repeats = slow_repeats;
  for (double& run : repeats) run += 2;
  const std::vector<std::vector<double>> healthy = {{99.7}, {100.1}, {99.9}};
  const auto said =
      *watch({.values = values, .repeats = repeats, .earlier = healthy, .shared = 0.5, .by_checks = true},
             {.series_watched = 40});
  CHECK(said.state == WatchState::not_confirmed);
  CHECK(said.evidence.of == "12 repeats");
  CHECK(said.evidence.loss == Approx(0.03).margin(0.003));
  CHECK_THAT(said.text,
             Catch::EndsWith("50.0 % of the variance is common to the runs of a check, so 3 checks decide"));
}

TEST_CASE("a check alone proves a loss that no day makes, however much its runs share") {
  std::vector<double> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = twelve[i % 12];
  values = with(values, {80});
  std::vector<double> repeats = slow_repeats;
  for (double& run : repeats) run -= 15;
  CHECK(watch({.values = values, .repeats = repeats, .shared = 0.5, .by_checks = true})->state ==
        WatchState::alarm);
}

TEST_CASE("one slow run among the first 8 does not widen the limits") {
  std::vector<double> values = twelve;
  values[3] = 88;
  values = with(values, {94.8});
  const auto said = *watch({.values = values, .repeats = slow_repeats});
  CHECK(said.state == WatchState::alarm);
  CHECK(said.control == 8);  // the 9th is old enough to be of it
  CHECK(said.begun_with == 8);
  CHECK(said.expected == Approx(100.3).epsilon(0.002));
}

TEST_CASE("a loss that lasts is an alarm also where it began with the 8th run, or behind an outlier") {
  const auto began = GENERATE(std::size_t{7}, std::size_t{8});
  const auto later = GENERATE(std::size_t{2}, std::size_t{5}, std::size_t{60});
  std::vector<double> values = twelve;
  if (began == 8) values[3] = 88;
  values.resize(began);
  for (std::size_t i = 0; i < later; ++i) values.push_back(twelve[i % 12] * 0.9);
  std::vector<double> repeats = twelve;
  for (double& run : repeats) run *= 0.9;
  CAPTURE(began, later);
  CHECK(watch({.values = values})->state == WatchState::suspect);
  CHECK(watch({.values = values, .repeats = repeats}, {.series_watched = 40})->state == WatchState::alarm);
}

TEST_CASE("an alarm that is proven stays one where the floor wants more runs") {
  const auto values = with(twelve, {90, 90.2, 90.1, 89.9});
  WatchLimits limits = {.repeats_at_most = 0, .floor = 93};
  CHECK(watch({.values = values}, {.repeats_at_most = 0})->state == WatchState::alarm);
  const auto said = *watch({.values = values}, limits);
  CHECK(said.state == WatchState::alarm);
  CHECK(said.floor_open);
  CHECK(said.repeats_wanted == 2);
  CHECK_THAT(said.text,
             Catch::Contains("beyond the floor (93.00)") && Catch::Contains("the last 4 runs lie"));
}

TEST_CASE("a slow ramp is suspect before it has lost 5 %") {
  std::vector<double> values = twelve;
  std::size_t weeks = 0;
  while (weeks < 30) {
    ++weeks;
    values.push_back(twelve[weeks % 12] * (1 - 0.005 * static_cast<double>(weeks)));
    if (watch({.values = values})->state == WatchState::suspect) break;
  }
  CHECK(weeks <= 10);
}

TEST_CASE("with fewer than 8 runs in the control region even a clear loss is a warning") {
  const std::vector<double> values = {100.2, 99.6, 100.5, 99.9, 100.1, 90};
  CHECK(watch({.values = values})->state == WatchState::suspect);
  const std::vector<double> repeats = {90.1, 90.3, 89.8, 90.0, 90.2, 89.9,
                                       90.4, 89.7, 90.1, 90.0, 89.9, 90.2};
  const auto said = *watch({.values = values, .repeats = repeats});
  CHECK(said.state == WatchState::warning);
  CHECK(said.text.ends_with("a warning, since an alarm takes 8 runs in the control region"));
  const auto few = *watch({.values = std::span(values).first(3)});
  CHECK(few.state == WatchState::too_few);
  CHECK(few.text == "2 runs in the control region: judged from 3 on");
}

TEST_CASE("one run alone is above its region where a time is judged") {
  std::vector<double> times(twelve.begin(), twelve.begin() + 8);
  times.push_back(120);
  const auto said = *watch({.values = times, .better = Better::lower}, {.repeats_at_most = 0});
  CHECK_THAT(said.text, Catch::Contains("one run alone lies 19.9 % above the control region of 8 runs"));
}

TEST_CASE("without repeats one run alone is never an alarm, four are") {
  std::vector<double> values(40);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = twelve[i % 12];
  values.push_back(90);
  const auto alone = *watch({.values = values}, {.repeats_at_most = 0});
  CHECK(alone.state == WatchState::not_confirmed);
  CHECK_THAT(alone.text, Catch::StartsWith("not confirmed, since no run is repeated: the last 4 runs lie "));
  values = with(values, {90.4, 89.8, 90.3});
  CHECK(watch({.values = values}, {.repeats_at_most = 0})->state == WatchState::alarm);
}

TEST_CASE("the contract's floor has nothing to do with the alarm") {
  const auto values = with(twelve, {99.5});
  const std::vector<double> below = {99.4, 99.6};
  const auto said = *watch({.values = values, .repeats = below}, {.floor = 99.9});
  CHECK(said.state == WatchState::in_control);
  CHECK(said.below_floor);
  CHECK(said.floor_value == 99.5);
  CHECK(said.floor_value_of == 3);
  const std::vector<double> repeats = {100.2, 100.3};
  CHECK_FALSE(watch({.values = values, .repeats = repeats}, {.floor = 99.9})->below_floor);
  CHECK_FALSE(watch({.values = values, .better = Better::lower}, {.floor = 99.9})->below_floor);
}

TEST_CASE("one slow run, or two, don't break the floor: they want a repeat") {
  const auto values = with(twelve, {99.5});
  const auto one = *watch({.values = values}, {.floor = 99.9});
  CHECK(one.state == WatchState::suspect);
  CHECK(one.repeats_wanted == 2);
  CHECK(one.floor_open);
  CHECK_FALSE(one.below_floor);
  CHECK_THAT(one.text,
             Catch::StartsWith("the median of 1 run of this check (99.50) is beyond the floor (99.90): 2 "
                               "more runs decide; in control: "));
  const std::vector<double> hiccup = {75};
  const auto two = *watch({.values = values, .repeats = hiccup}, {.floor = 90});
  CHECK(two.repeats_wanted == 1);
  CHECK_FALSE(two.below_floor);
  const std::vector<double> third = {75, 99.8};
  const auto three = *watch({.values = values, .repeats = third}, {.floor = 90});
  CHECK_FALSE(three.floor_open);
  CHECK_FALSE(three.below_floor);
  CHECK(three.floor_value == 99.5);
  // Where no run is repeated, those that there are decide.
  CHECK(watch({.values = values}, {.floor = 99.9, .floor_runs = 1})->below_floor);
}

TEST_CASE("a check's loss is its own, not that of the window that lies furthest below") {
  const auto said = *watch({.values = with(twelve, {98.9, 98.7, 98.8, 101.0})});
  CHECK(said.state == WatchState::in_control);
  CHECK(said.loss == Approx(1 - 101.0 / said.expected));
  CHECK(said.loss < 0);
  CHECK(said.interval.low < said.loss);
  CHECK(said.loss < said.interval.high);
  CHECK(said.evidence.of == "the last 4 runs");
  CHECK(said.evidence.loss > 0);
}

TEST_CASE("the interval of a loss holds what the machine has lost in 95 of 100 checks") {
  std::mt19937_64 random(20261122);
  std::normal_distribution<double> noise(100, 1);
  for (const double lost : {0.0, 0.03}) {
    int held = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      std::vector<double> values(20);
      for (double& value : values) value = noise(random);
      values.back() *= 1 - lost;
      const auto said = *watch({.values = values});
      held += said.interval.low <= lost && lost <= said.interval.high ? 1 : 0;
    }
    CHECK(held > 1870);  // 1900, less three standard errors
    CHECK(held < 1940);
  }
}

TEST_CASE("however many looks at repeats there are, each has a share of the significance") {
  // 2, 4, 8 ... 4096 and the last: 12 looks.
  const auto values = with(twelve, {80});
  std::vector<double> repeats;
  for (int i = 0; i < 5000; ++i) repeats.push_back(80 + 0.01 * (i % 7));
  const auto said = *watch({.values = values, .repeats = repeats}, {.repeats_at_most = 5000});
  CHECK(said.state == WatchState::alarm);
}

TEST_CASE("runs of a check that are much alike prove less") {
  const auto values = with(twelve, {97.0});
  const std::vector<double> repeats = {97.7, 96.9, 98.1, 97.4, 98.3, 96.6,
                                       97.8, 97.5, 97.2, 98.0, 97.1, 97.6};
  const WatchLimits limits{.series_watched = 40};
  const auto apart = *watch({.values = values, .repeats = repeats}, limits);
  const auto alike = *watch({.values = values, .repeats = repeats, .shared = 0.5}, limits);
  CHECK(apart.state == WatchState::alarm);
  CHECK(alike.state == WatchState::not_confirmed);
  CHECK(alike.evidence.loss == apart.evidence.loss);
  CHECK(alike.evidence.interval.value().low < apart.evidence.interval.value().low);
}

TEST_CASE("more series watched and fewer false alarms allowed ask for more") {
  CHECK(WatchLimits{.series_watched = 40}.significance() == Approx(0.2 / 40 / 52));
  CHECK(WatchLimits{.false_alarms_per_year = 10, .checks_per_year = 4}.significance() == 0.05);
}

TEST_CASE("the verdict knows no unit, and equal runs have one") {
  auto values = with(twelve, {94.8});
  const auto once = *watch({.values = values});
  for (double& value : values) value *= 1e200;
  const auto scaled = *watch({.values = values});
  CHECK(scaled.state == once.state);
  CHECK(scaled.loss == Approx(once.loss));
  std::vector<double> equal(12, 5.0);
  CHECK(watch({.values = equal})->state == WatchState::in_control);
  equal.push_back(4);
  CHECK(watch({.values = equal})->state == WatchState::suspect);
  const std::vector<double> four(12, 4.0);
  CHECK(watch({.values = equal, .repeats = four})->state == WatchState::alarm);
}

TEST_CASE("what is no rate, and limits that mean nothing, are refused") {
  CHECK_FALSE(watch({.values = {}}));
  CHECK(watch({.values = std::vector<double>{1, 0}}).error().what ==
        "the series hold 0: rates and times lie above 0");
  CHECK_FALSE(watch({.values = std::vector<double>{1, -1}}));
  CHECK_FALSE(watch({.values = std::vector<double>{1, std::nan("")}}));
  CHECK_FALSE(watch({.values = twelve, .control_from = 12}));
  CHECK_FALSE(watch({.values = twelve, .shared = 1}));
  CHECK_FALSE(watch({.values = twelve}, {.magnitude = 1}));
  CHECK_FALSE(watch({.values = twelve}, {.series_watched = 0}));
}
