// What `compare` says of two campaigns of one day each: simulated, seeded. The runs of a day share a part of
// their variance, and days may resemble the day before. How often two days without any change are called
// different, how often the 95 % interval holds the true shift, and how often a loss is found, without and
// with earlier days, daily and weekly. Prints results, asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_comparisons [trials [independent|alike]]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "reports/statistics/before_after.hpp"

using namespace shakedown;

namespace {

struct Scene {
  double cov = 0.01;        ///< of a run
  double shared = 0;        ///< of the variance, by the runs of a day
  std::size_t runs = 5;     ///< of each side, and of each earlier day
  std::size_t history = 0;  ///< earlier days
  double keeps = 0;         ///< the correlation of a day's level with that of the day before
  int every = 7;            ///< days between the days that were measured before both
  int between = 7;          ///< days between the two
};

/// Days of one machine, in order; 100 without noise.
class ComparedMachine {
 public:
  ComparedMachine(std::uint64_t seed, const Scene& scene) : random_(seed), scene_(scene) {
    day_ = normal_(random_);
  }
  /// The runs of the day that is `later` days after the one before.
  MeasuredDay day(double level, int later) {
    const double alike = std::pow(scene_.keeps, later);
    day_ = alike * day_ + std::sqrt(1 - alike * alike) * normal_(random_);
    date_ += later;
    MeasuredDay measured{date_, {}};
    for (std::size_t i = 0; i < scene_.runs; ++i)
      measured.values.push_back(100 * level *
                                (1 + scene_.cov * (std::sqrt(scene_.shared) * day_ +
                                                   std::sqrt(1 - scene_.shared) * normal_(random_))));
    return measured;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  Scene scene_;
  double day_ = 0;
  long date_ = 0;
};

struct Tally {
  std::size_t worse = 0, better = 0, held = 0, intervals = 0, of_days = 0;
};

Tally compared(const Scene& scene, double loss, std::size_t trials) {
  Tally tally;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    ComparedMachine machine(20261122 + 7919 * trial, scene);
    std::vector<MeasuredDay> earlier;
    earlier.reserve(scene.history);
    for (std::size_t i = 0; i < scene.history; ++i) earlier.push_back(machine.day(1, scene.every));
    const auto before = machine.day(1, scene.every).values;
    const auto after = machine.day(1 - loss, scene.between).values;
    const auto spread = day_spread(earlier, std::min<long>(scene.between, week_days));
    const auto found = before_after(before, after, Better::higher, {}, spread).value();
    tally.of_days += spread ? 1 : 0;
    tally.worse += found.change == ChangeFinding::worse ? 1 : 0;
    tally.better += found.change == ChangeFinding::better ? 1 : 0;
    if (!found.can_be_sure) continue;
    ++tally.intervals;
    tally.held += found.low <= -loss && -loss <= found.high ? 1 : 0;
  }
  return tally;
}

double percent(std::size_t part, std::size_t all) {
  return 100 * static_cast<double>(part) / static_cast<double>(all);
}

void row(const Scene& scene, std::size_t trials) {
  const Tally same = compared(scene, 0, trials);
  const auto found = [&](double loss) { return percent(compared(scene, loss, trials).worse, trials); };
  std::cout
      << fmt::format(
             "| {} | {:.1f} % | {} | {} | {} | {} | {} | {} | {:.1f} % | {:.1f} % | {} | {:.1f} % | {:.1f} "
             "% |\n",
             scene.runs, 100 * scene.cov, scene.shared, scene.history, scene.every, scene.keeps,
             scene.between, same.of_days == 0 ? "these days" : "earlier days", percent(same.worse, trials),
             percent(same.better, trials),
             same.intervals == 0 ? "none" : fmt::format("{:.1f} %", percent(same.held, same.intervals)),
             found(0.03), found(0.05))
      << std::flush;
}

void independent_days(std::size_t trials) {
  for (const std::size_t runs : {std::size_t{3}, std::size_t{5}})
    for (const double cov : {0.005, 0.01, 0.02})
      for (const double shared : {0.0, 0.25, 0.45, 0.5, 0.75})
        for (const std::size_t history : {std::size_t{0}, std::size_t{3}, std::size_t{8}, std::size_t{26}})
          row({.cov = cov, .shared = shared, .runs = runs, .history = history}, trials);
}

struct Checks {
  std::size_t days = 0;
  int every = 7;
};

/// Weekly and daily checks of days that resemble the day before, and campaigns that follow each other or not.
void alike_days(std::size_t trials) {
  for (const double shared : {0.0, 0.25, 0.5})
    for (const double keeps : {0.0, 0.5, 0.8, 0.9}) {
      if (shared == 0 && keeps > 0) continue;  // there is nothing to keep
      for (const Checks& checks : {Checks{3, 7}, Checks{8, 7}, Checks{26, 7}, Checks{8, 1}, Checks{15, 1},
                                   Checks{26, 1}, Checks{56, 1}, Checks{182, 1}})
        for (const int between : {1, 3, 7, 28})
          row({.shared = shared,
               .history = checks.days,
               .keeps = keeps,
               .every = checks.every,
               .between = between},
              trials);
    }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t trials = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 4000;
  const std::string_view part = argc > 2 ? argv[2] : "";
  std::cout
      << "| runs a side | CoV | shared | earlier days | one every days | a day keeps | days between the "
         "two | interval of | unchanged, called worse | better | interval holds the shift | 3 % loss "
         "found | 5 % loss found |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  if (part != "alike") independent_days(trials);
  if (part != "independent") alike_days(trials);
  return 0;
}
