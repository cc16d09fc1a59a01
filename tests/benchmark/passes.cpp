// Scheduled passes as `shakedown regress` judges them: simulated systems of 40 series, two runs of each in a
// pass, the repeats that a suspicion asks for, and what the runs of a pass share estimated from the passes,
// never given. False alarms of a system's first year, and how often a loss is found. Prints figures, asserts
// none: see tests/benchmark/RESULTS.md.
//   build/<preset>/tests/benchmark_passes [systems]
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>

#include "reports/regression.hpp"

using namespace shakedown;

namespace {

constexpr std::size_t series_of_system = 40;
constexpr int first_passes = 8;
constexpr int weeks = 52;

/// The noise of a machine: a part of its variance is common to the runs of a pass.
struct Noise {
  double cov = 0.01;
  double shared = 0;
};

class Machine {
 public:
  Machine(std::uint64_t seed, Noise noise) : random_(seed), noise_(noise) {}
  void pass(double level) {
    level_ = level;
    day_ = normal_(random_);
  }
  double run() {
    const double own = normal_(random_);
    return 100 * level_ *
           (1 + noise_.cov * (std::sqrt(noise_.shared) * day_ + std::sqrt(1 - noise_.shared) * own));
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  Noise noise_;
  double level_ = 1;
  double day_ = 0;
};

class System {
 public:
  System(std::uint64_t seed, Noise noise) {
    for (std::size_t i = 0; i < series_of_system; ++i) {
      PassSeries series;
      series.name = {"hpl", "reference", "rmax_gflops", fmt::format("cn{}", i), "", ""};
      series_.push_back(std::move(series));
      machines_.emplace_back(20261122 + 7919 * (seed * series_of_system + i), noise);
    }
  }
  /// One pass; which series ring. `slow` is the one that runs at `level`.
  std::vector<bool> pass(std::size_t slow = series_of_system, double level = 1) {
    for (std::size_t i = 0; i < series_.size(); ++i) {
      machines_[i].pass(i == slow ? level : 1);
      series_[i].passes.push_back({"c", {machines_[i].run(), machines_[i].run()}});
    }
    while (true) {
      const PassVerdict verdict = judged_pass(series_, {}, {}).value();
      bool again = false;
      std::vector<bool> rings;
      for (std::size_t i = 0; i < series_.size(); ++i) {
        const Watched& watched = verdict.series[i].watched;
        rings.push_back(watched.state == WatchState::alarm);
        if (watched.state != WatchState::suspect) continue;
        again = true;
        for (std::size_t k = 0; k < watched.repeats_wanted; ++k, ++repeats)
          series_[i].passes.back().runs.push_back(machines_[i].run());
      }
      if (!again) return rings;
    }
  }
  std::size_t repeats = 0;

 private:
  std::vector<PassSeries> series_;
  std::vector<Machine> machines_;
};

/// Alarms per system and year, those with up to three quiet passes between being one, and repeats per series
/// and pass.
double false_alarms(std::size_t systems, Noise noise, double& repeats) {
  double count = 0;
  for (std::size_t seed = 0; seed < systems; ++seed) {
    System system(seed, noise);
    std::vector<int> quiet(series_of_system, 4);
    for (int pass = 0; pass < first_passes + weeks; ++pass) {
      const auto rings = system.pass();
      for (std::size_t i = 0; i < rings.size(); ++i) {
        count += rings[i] && quiet[i] >= 4 ? 1 : 0;
        quiet[i] = rings[i] ? 0 : quiet[i] + 1;
      }
    }
    repeats += static_cast<double>(system.repeats);
  }
  repeats /= static_cast<double>(systems * series_of_system * (first_passes + weeks));
  return count / static_cast<double>(systems);
}

/// The share of losses found that begin anywhere in the year's first half.
double found(std::size_t systems, Noise noise, double step, double ramp, int passes) {
  std::mt19937_64 random(42);
  double count = 0;
  for (std::size_t seed = 0; seed < systems; ++seed) {
    System system(1000 + seed, noise);
    const int from = first_passes + static_cast<int>(random() % (weeks / 2));
    for (int pass = 0; pass < from; ++pass) system.pass();
    bool any = false;
    for (int pass = 1; pass <= passes && !any; ++pass) any = system.pass(0, 1 - step - ramp * pass)[0];
    count += any ? 1 : 0;
  }
  return count / static_cast<double>(systems);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t systems = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 100;
  std::cout << "| shared | CoV | systems | false alarms per system and year | 3 % loss within 4 passes | 0.5 "
               "% ramp "
               "within 10 | repeats per series and pass |\n|---|---|---|---|---|---|---|\n";
  for (const double shared : {0.0, 0.25, 0.5, 0.75})
    for (const double cov : {0.005, 0.01, 0.02}) {
      const Noise noise{cov, shared};
      double repeats = 0;
      const double alarms = false_alarms(systems, noise, repeats);
      std::cout << fmt::format("| {} | {:.1f} % | {} | {:.3f} | {:.1f} % | {:.1f} % | {:.3f} |\n", shared,
                               100 * cov, systems, alarms, 100 * found(systems, noise, 0.03, 0, 4),
                               100 * found(systems, noise, 0, 0.005, 10), repeats)
                << std::flush;
    }
  return 0;
}
