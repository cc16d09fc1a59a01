// What `compare` says of two campaigns of one day each: simulated, seeded. The runs of a day share a part of
// their variance, and days may resemble the day before. How often two days without any change are called
// different, how often the 95 % interval holds the true shift, and how often a loss is found, without and
// with earlier days. Prints results, asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_comparisons [trials]
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <vector>

#include "reports/statistics/before_after.hpp"

using namespace shakedown;

namespace {

struct Scene {
  double cov = 0.01;        ///< of a run
  double shared = 0;        ///< of the variance, by the runs of a day
  std::size_t runs = 5;     ///< of each side, and of each earlier day
  std::size_t history = 0;  ///< earlier days
  double alike = 0;         ///< the correlation of a day's level with that of the measured day before
  bool apart = false;       ///< the two days lie so far apart that their levels have nothing in common
};

/// Days of one machine, in order; 100 without noise.
class ComparedMachine {
 public:
  ComparedMachine(std::uint64_t seed, const Scene& scene) : random_(seed), scene_(scene) {
    day_ = normal_(random_);
  }
  std::vector<double> day(double level, bool apart = false) {
    const double alike = apart ? 0 : scene_.alike;
    day_ = alike * day_ + std::sqrt(1 - alike * alike) * normal_(random_);
    std::vector<double> values;
    for (std::size_t i = 0; i < scene_.runs; ++i)
      values.push_back(100 * level *
                       (1 + scene_.cov * (std::sqrt(scene_.shared) * day_ +
                                          std::sqrt(1 - scene_.shared) * normal_(random_))));
    return values;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  Scene scene_;
  double day_ = 0;
};

struct Tally {
  std::size_t worse = 0, better = 0, held = 0, intervals = 0;
};

Tally compared(const Scene& scene, double loss, std::size_t trials) {
  Tally tally;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    ComparedMachine machine(20261122 + 7919 * trial, scene);
    std::vector<std::vector<double>> earlier;
    for (std::size_t i = 0; i < scene.history; ++i) earlier.push_back(machine.day(1));
    const auto before = machine.day(1);
    const auto after = machine.day(1 - loss, scene.apart);
    const auto found = before_after(before, after, Better::higher, {}, day_spread(earlier)).value();
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
  std::cout << fmt::format(
                   "| {} | {:.1f} % | {} | {} | {}{} | {:.1f} % | {:.1f} % | {} | {:.1f} % | {:.1f} % |\n",
                   scene.runs, 100 * scene.cov, scene.shared, scene.history, scene.alike,
                   scene.apart ? ", then none" : "", percent(same.worse, trials),
                   percent(same.better, trials),
                   same.intervals == 0 ? "none" : fmt::format("{:.1f} %", percent(same.held, same.intervals)),
                   found(0.03), found(0.05))
            << std::flush;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t trials = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 4000;
  std::cout
      << "| runs a side | CoV | shared | earlier days | alike | unchanged, called worse | better | interval "
         "holds the shift | 3 % loss found | 5 % loss found |\n"
         "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const std::size_t runs : {std::size_t{3}, std::size_t{5}})
    for (const double cov : {0.005, 0.01, 0.02})
      for (const double shared : {0.0, 0.25, 0.45, 0.5, 0.75})
        for (const std::size_t history : {std::size_t{0}, std::size_t{3}, std::size_t{8}, std::size_t{26}})
          row({.cov = cov, .shared = shared, .runs = runs, .history = history}, trials);
  // Weekly, and daily: a level that falls to a half in 3 days has 0.8 of the day before, 0.2 of the week
  // before.
  for (const double alike : {0.2, 0.5, 0.8})
    for (const std::size_t history : {std::size_t{3}, std::size_t{8}, std::size_t{26}})
      for (const bool apart : {false, true})
        row({.cov = 0.01, .shared = 0.5, .runs = 5, .history = history, .alike = alike, .apart = apart},
            trials);
  return 0;
}
