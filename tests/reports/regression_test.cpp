#include "reports/judge/regression.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace shakedown;

namespace {

/// A machine whose runs of a check have a part of their noise in common.
class Machine {
 public:
  Machine(std::uint64_t seed, double cov, double shared) : random_(seed), cov_(cov), shared_(shared) {}
  /// Begins a check at a level, 1 being healthy.
  void check(double level) {
    level_ = level;
    day_ = normal_(random_);
  }
  double run() {
    return 100 * level_ *
           (1 + cov_ * (std::sqrt(shared_) * day_ + std::sqrt(1 - shared_) * normal_(random_)));
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double cov_;
  double shared_;
  double level_ = 1;
  double day_ = 0;
};

CheckSeries regression_named(std::size_t number) {
  CheckSeries series;
  series.name = {"hpl", "reference", "rmax_gflops", "cn" + std::to_string(number), "", "N=8000"};
  return series;
}

/// A system whose checks are judged as `shakedown regress` does: two runs each, and the repeats that are
/// asked for.
class System {
 public:
  System(std::uint64_t seed, std::size_t series, double cov, double shared) {
    for (std::size_t i = 0; i < series; ++i) {
      series_.push_back(regression_named(i));
      machines_.emplace_back(seed * 1000 + i, cov, shared);
    }
  }
  CheckVerdict check(double level = 1) {
    for (std::size_t i = 0; i < series_.size(); ++i) {
      machines_[i].check(level);
      series_[i].checks.push_back({"c" + std::to_string(passes_), {machines_[i].run(), machines_[i].run()}});
    }
    ++passes_;
    while (true) {
      CheckVerdict verdict = judged_check(series_, {}, {}).value();
      bool again = false;
      for (std::size_t i = 0; i < series_.size(); ++i) {
        if (verdict.series[i].watched.state != WatchState::suspect) continue;
        again = true;
        for (std::size_t k = 0; k < verdict.series[i].watched.repeats_wanted; ++k) {
          series_[i].checks.back().runs.push_back(machines_[i].run());
          ++repeats;
        }
      }
      if (!again) return verdict;
    }
  }
  std::size_t repeats = 0;

 private:
  std::vector<CheckSeries> series_;
  std::vector<Machine> machines_;
  int passes_ = 0;
};

std::size_t alarms(const CheckVerdict& verdict) {
  std::size_t count = 0;
  for (const JudgedSeries& each : verdict.series) count += each.alarm() ? 1 : 0;
  return count;
}

CheckSeries steady(std::vector<double> firsts) {
  CheckSeries series = regression_named(1);
  for (const double value : firsts) series.checks.push_back({"c", {value}});
  return series;
}

}  // namespace

TEST_CASE("noise that the runs of a check share raises no alarm in the first year of 10 systems") {
  std::size_t rung = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    System system(seed, 40, 0.01, 0.5);
    for (int check = 0; check < 60; ++check) rung += alarms(system.check());
  }
  CHECK(rung <= 2);  // 0.2 a year and system
}

TEST_CASE("the same without noise in common raises none either") {
  std::size_t rung = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    System system(seed, 40, 0.01, 0);
    for (int check = 0; check < 60; ++check) rung += alarms(system.check());
  }
  CHECK(rung <= 2);
}

TEST_CASE("a loss of 5 % is an alarm within 4 checks, and exit code 1") {
  System system(7, 10, 0.01, 0.2);
  for (int check = 0; check < 12; ++check) CHECK(system.check().exit_code == 0);
  CheckVerdict verdict;
  for (int check = 0; check < 4 && verdict.exit_code != 1; ++check) verdict = system.check(0.95);
  CHECK(verdict.exit_code == 1);
  CHECK(verdict.sentence.starts_with("regression check: alarm: hpl/reference Rmax on cn"));
  CHECK(verdict.sentence.find("below the control region") != std::string::npos);
}

TEST_CASE("with fewer than 8 checks there is no alarm, and the verdict says that it learns") {
  System system(3, 2, 0.005, 0);
  CheckVerdict verdict;
  for (int check = 0; check < 5; ++check) verdict = system.check();
  CHECK(verdict.exit_code == 0);
  CHECK(verdict.sentence ==
        "regression check: no alarm in 2 series; still learning 2 series: an alarm by its own history takes "
        "9 checks");
  CHECK(verdict.series.front().state().starts_with("learning (4 of 8)"));
  verdict = system.check(0.5);
  CHECK(verdict.exit_code == 0);
  INFO(verdict.sentence << " / " << verdict.series.front().state());
  CHECK(verdict.sentence.find("; worse than expected, without an alarm: hpl/reference Rmax on cn0: ") !=
        std::string::npos);
}

TEST_CASE("until checks of several runs tell what they share, repeats confirm nothing") {
  CheckSeries series = steady({100, 101, 99, 100, 100.5, 99.5, 100.2, 99.8, 100.1, 90});
  const CheckVerdict verdict = judged_check({series}, {}, {}).value();
  CHECK_FALSE(verdict.series.front().shared);
  CHECK(verdict.series.front().watched.repeats_wanted == 0);
  CHECK(verdict.exit_code == 0);
}

TEST_CASE("the floor is another limit than the alarm: it holds from the first check on") {
  CheckSeries series = regression_named(1);
  series.checks = {{"c", {95, 94, 97}}};
  series.floor = 96;
  series.floor_source = "90 % of 107 GFLOP/s, the median of c0";
  const CheckVerdict verdict = judged_check({series}, {}, {.has_floor = true}).value();
  CHECK(verdict.exit_code == 1);
  CHECK(
      verdict.sentence ==
      "regression check: below the contract's floor: hpl/reference Rmax on cn1: 95.00 GFLOP/s, the "
      "median of 3 runs of this check, where 96.00 GFLOP/s is the floor (90 % of 107 GFLOP/s, the median of "
      "c0)");
  series.floor = 94;
  CHECK(judged_check({series}, {}, {.has_floor = true}).value().exit_code == 0);
}

TEST_CASE("the floor is judged on the median of a check's runs, and that is the value reported") {
  CheckSeries series = regression_named(1);
  series.floor = 90;
  series.floor_source = "90 % of 100 GFLOP/s";
  const CheckLimits limits{.has_floor = true};
  // A hiccup in the second run: a third is wanted, and nothing decided before.
  series.checks = {{"c", {100, 75}}};
  const CheckVerdict open = judged_check({series}, {}, limits).value();
  CHECK(open.exit_code == 3);
  CHECK(open.series.front().watched.repeats_wanted == 1);
  CHECK(open.series.front().state() == "learning (0 of 8), below floor by too few runs");
  CHECK(open.sentence.find("the median of 2 runs of this check (87.50) is beyond the floor (90.00)") !=
        std::string::npos);
  series.checks = {{"c", {100, 75, 99}}};
  CHECK(judged_check({series}, {}, limits).value().exit_code == 0);
  // The first run below it, the median above.
  series.checks = {{"c", {85, 100}}};
  const CheckVerdict above = judged_check({series}, {}, limits).value();
  CHECK(above.exit_code == 0);
  CHECK(above.series.front().watched.floor_value == 92.5);
  series.checks = {{"c", {100, 75, 80}}};
  const CheckVerdict below = judged_check({series}, {}, limits).value();
  CHECK(below.exit_code == 1);
  CHECK(below.sentence.find(
            "80.00 GFLOP/s, the median of 3 runs of this check, where 90.00 GFLOP/s is the floor") !=
        std::string::npos);
  // Without repeats the runs there are decide.
  series.checks = {{"c", {100, 75}}};
  CHECK(judged_check({series}, {}, {.repeats_at_most = 0, .has_floor = true}).value().exit_code == 1);
}

TEST_CASE("a series without a check, or a check without a run of it, is refused") {
  CheckSeries series = regression_named(1);
  CHECK(judged_check({series}, {}, {}).error().what == "has no check");
  series.checks = {{"c0", {100}}, {"c1", {}}};
  CHECK(judged_check({series}, {}, {}).error().what == "check c1 has no run of it");
  series.checks.pop_back();
  series.control_from = 1;
  CHECK_FALSE(judged_check({series}, {}, {}));
}

TEST_CASE("a time may not exceed its floor") {
  CheckSeries series = regression_named(1);
  series.checks = {{"c", {61, 61, 61}}};
  series.name.metric = "time_to_train_min";
  series.better = Better::lower;
  series.floor = 60;
  CHECK(judged_check({series}, {}, {.has_floor = true}).value().exit_code == 1);
}

TEST_CASE("what is not known never counts as fine") {
  CheckSeries series = steady({95});
  series.floor_source = "no campaign of this system is accepted yet";
  const CheckVerdict open = judged_check({series}, {}, {.has_floor = true}).value();
  CHECK(open.exit_code == 3);
  CHECK(open.sentence.find("its floor is not known: no campaign of this system is accepted yet") !=
        std::string::npos);
  const CheckVerdict missing = judged_check({steady({95})}, {{"hpl-1n", "not run"}}, {}).value();
  CHECK(missing.exit_code == 3);
  CHECK(missing.sentence == "regression check: undecided: hpl-1n: not run");
  CHECK(judged_check({}, {}, {}).value().exit_code == 3);
}

TEST_CASE("after a change of the node only what came since is the control region") {
  CheckSeries series = steady({100, 101, 99, 100, 100.5, 99.5, 100.2, 99.8, 100.1, 80, 80.2, 79.9, 80.1});
  series.control_from = 9;
  series.reopened = "cn1 declared 'replaced' by A. Admin";
  const CheckVerdict verdict = judged_check({series}, {}, {}).value();
  CHECK(verdict.exit_code == 0);
  CHECK(verdict.series.front().learning());
  CHECK(verdict.series.front().watched.expected == Approx(80).epsilon(0.01));
}

TEST_CASE("a gain begins the control region anew and is reported, and the history shows where it changed") {
  CheckSeries series = steady({100, 101, 99, 100, 100.5, 99.5, 100.2, 99.8, 100.1});
  const CheckVerdict before = judged_check({series}, {}, {}).value();
  CHECK(before.notes.empty());
  CHECK(before.series.front().changes.empty());
  for (const double value : {110, 111, 109, 110, 112, 108, 110, 111})
    series.checks.push_back({"c9", {value}});
  const CheckVerdict after = judged_check({series}, {}, {}).value();
  CHECK(after.exit_code == 0);
  REQUIRE(after.notes.size() == 1);
  CHECK(after.notes.front().starts_with(
      "hpl/reference Rmax on cn1: since check 10 (c9) 10.1 % better, Student's t p = "));
  CHECK(after.notes.front().ends_with("declare a change if you made one"));
  const JudgedSeries& judged = after.series.front();
  CHECK(judged.watched.expected == Approx(110).epsilon(0.01));
  REQUIRE(judged.changes.size() == 1);
  CHECK(judged.changes.front().index == 9);
  CHECK(change_text(judged, judged.changes.front())
            .starts_with("changed at check 10 (c9) by 10.1 %, from 100.0 GFLOP/s to 110.1 GFLOP/s, "));
  const std::string text = check_verdict_json(after);
  const CheckVerdict back = check_verdict_from_json(text, "regression.json").value();
  CHECK(check_verdict_json(back) == text);
  CHECK(back.series.front().changes.front().p == judged.changes.front().p);
  CHECK(back.series.front().watched.gain->since == 9);
}

TEST_CASE("fewer than 8 checks have no change points") {
  const CheckVerdict verdict = judged_check({steady({100, 100.1, 99.9, 80, 80.1, 79.9, 80})}, {}, {}).value();
  CHECK(verdict.series.front().changes.empty());
}

TEST_CASE("a verdict survives its file") {
  System system(5, 3, 0.01, 0.3);
  CheckVerdict verdict;
  for (int check = 0; check < 12; ++check) verdict = system.check();
  verdict.notes = {"coverage: 3 of 3"};
  verdict.missing = {{"hpl", "not run"}};
  const std::string text = check_verdict_json(verdict);
  const auto back = check_verdict_from_json(text, "regression.json");
  REQUIRE(back);
  CHECK(check_verdict_json(*back) == text);
  CHECK_FALSE(check_verdict_from_json("{}", "regression.json"));
  CHECK_FALSE(check_verdict_from_json("nothing", "regression.json"));
}

TEST_CASE(
    "a node that is still learning can alarm beside the nodes like it, and its own history takes over") {
  CheckSeries series = regression_named(1);
  series.like = {100, 101, 99, 100.5, 99.5, 100.2, 99.8, 101.2, 98.8, 100.1};
  series.checks = {{"c1", {92, 92.1}}};
  const CheckLimits daily{.checks_per_year = 365};
  CheckVerdict verdict = judged_check({series}, {}, daily).value();
  CHECK(verdict.series[0].watched.state == WatchState::suspect);
  CHECK(verdict.series[0].watched.repeats_wanted == 3);  // of the two runs one is a repeat already
  CHECK(verdict.exit_code == 3);
  series.checks = {{"c1", {92, 92.1, 91.9, 92, 92.2}}};
  verdict = judged_check({series}, {}, daily).value();
  CHECK(verdict.series[0].alarm());
  CHECK(verdict.exit_code == 1);
  CHECK(verdict.sentence.find("8.0 % below 10 nodes like it") != std::string::npos);
  // The same values where it always gave them.
  series.checks.clear();
  for (int i = 0; i < 12; ++i) series.checks.push_back({"c", {92 + 0.1 * (i % 3), 92.1}});
  verdict = judged_check({series}, {}, daily).value();
  CHECK(verdict.series[0].watched.state == WatchState::in_control);
}
