// Scheduled checks as `shakedown regress` judges them: simulated systems of 40 series, two runs of each in a
// check, the repeats that a suspicion asks for, and what the runs of a check share estimated from the checks,
// never given. False alarms of a system's first year, or of the year that is asked for, and how often a loss
// is found, with standard errors. Prints results, asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_checks [systems] [trials] [noise [shared [CoV [year [checks a year]]]]]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string_view>

#include "reports/judge/regression.hpp"

using namespace shakedown;

namespace {

constexpr std::size_t series_of_system = 40;
constexpr int first_passes = 8;
int checks_a_year = 52;

/// Of a loss's simulation: so many series of a system suffer it, each a trial.
constexpr std::size_t slow_series = 5;

/// Mixed: normal, and only each eighth series' runs share anything. Alike: normal, and what the runs of a
/// check share falls by a fifth from day to day: 0.8 of it is there the next day, 0.21 a week later.
enum class Kind { normal, skewed, outliers, drift, mixed, alike };
constexpr std::array<std::string_view, 6> kinds = {"normal", "skewed", "outliers", "drift", "mixed", "alike"};
constexpr double kept_a_day = 0.8;

/// The noise of a machine: a part of its variance is common to the runs of a check.
struct Noise {
  double cov = 0.01;
  double shared = 0;
  Kind kind = Kind::normal;
};

class Machine {
 public:
  Machine(std::uint64_t seed, Noise noise) : random_(seed), noise_(noise) {
    phase_ = 2 * pi * uniform_(random_);
    if (noise_.kind == Kind::alike) kept_ = std::pow(kept_a_day, 365.0 / checks_a_year);
    day_ = off();
  }
  void check(double level) {
    level_ = level;
    day_ = kept_ * day_ + std::sqrt(1 - kept_ * kept_) * off();
    ++pass_;
  }
  double run() {
    const double own = off();
    double value = 100 * level_ *
                   (1 + noise_.cov * (std::sqrt(noise_.shared) * day_ + std::sqrt(1 - noise_.shared) * own));
    if (noise_.kind == Kind::outliers && uniform_(random_) < 0.02) value *= 0.85 + 0.1 * uniform_(random_);
    if (noise_.kind == Kind::drift)
      value *= 1 + 0.005 * std::sin(phase_ + 2 * pi * static_cast<double>(pass_) / checks_a_year);
    return value;
  }

 private:
  /// Of mean 0 and deviation 1. Skewed: a gamma of shape 4, skewness 1, its long tail on the slow side.
  double off() {
    if (noise_.kind != Kind::skewed) return normal_(random_);
    std::gamma_distribution<double> gamma(4, 0.5);
    return 2 - gamma(random_);
  }

  static constexpr double pi = 3.14159265358979323846;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  Noise noise_;
  double level_ = 1;
  double day_ = 0;
  double kept_ = 0;   // of a day's part, until the next check
  double phase_ = 0;  // of the season
  int pass_ = 0;
};

class System {
 public:
  System(std::uint64_t seed, Noise noise) {
    for (std::size_t i = 0; i < series_of_system; ++i) {
      CheckSeries series;
      series.name = {"hpl", "reference", "rmax_gflops", fmt::format("cn{}", i), "", ""};
      series_.push_back(std::move(series));
      Noise own = noise;
      if (noise.kind == Kind::mixed && i % 8 != 0) own.shared = 0;
      machines_.emplace_back(20261122 + 7919 * (seed * series_of_system + i), own);
    }
  }
  /// One check; which series ring. The first `slow` run at `level`.
  std::vector<bool> check(std::size_t slow = 0, double level = 1) {
    for (std::size_t i = 0; i < series_.size(); ++i) {
      machines_[i].check(i < slow ? level : 1);
      series_[i].checks.push_back({"c", {machines_[i].run(), machines_[i].run()}});
    }
    while (true) {
      const CheckVerdict verdict =
          judged_check(series_, {}, {.checks_per_year = static_cast<double>(checks_a_year)}).value();
      bool again = false;
      std::vector<bool> rings;
      for (std::size_t i = 0; i < series_.size(); ++i) {
        const Watched& watched = verdict.series[i].watched;
        rings.push_back(watched.state == WatchState::alarm);
        if (watched.state != WatchState::suspect) continue;
        again = true;
        for (std::size_t k = 0; k < watched.repeats_wanted; ++k, ++repeats)
          series_[i].checks.back().runs.push_back(machines_[i].run());
      }
      if (!again) return rings;
    }
  }
  std::size_t repeats = 0;

 private:
  std::vector<CheckSeries> series_;
  std::vector<Machine> machines_;
};

/// A value and its standard error.
struct Estimate {
  double value = 0;
  double error = 0;
};

/// Of independent values.
Estimate mean_of(const std::vector<double>& all) {
  const double n = static_cast<double>(all.size());
  Estimate found;
  for (const double each : all) found.value += each / n;
  for (const double each : all) found.error += (each - found.value) * (each - found.value);
  found.error = std::sqrt(found.error / (n * (n - 1)));
  return found;
}

/// Alarms per system in its `year`, those with up to three quiet checks between being one, and repeats per
/// series and check.
Estimate false_alarms(std::size_t systems, Noise noise, int year, double& repeats) {
  std::vector<double> alarms;
  for (std::size_t seed = 0; seed < systems; ++seed) {
    System system(seed, noise);
    std::vector<int> quiet(series_of_system, 4);
    double count = 0;
    const int checks = first_passes + checks_a_year * year;
    for (int check = 0; check < checks; ++check) {
      const auto rings = system.check();
      for (std::size_t i = 0; i < rings.size(); ++i) {
        count += rings[i] && quiet[i] >= 4 && (year == 1 || check >= checks - checks_a_year) ? 1 : 0;
        quiet[i] = rings[i] ? 0 : quiet[i] + 1;
      }
    }
    alarms.push_back(count);
    repeats += static_cast<double>(system.repeats);
  }
  repeats /= static_cast<double>(systems * series_of_system) * (first_passes + checks_a_year * year);
  return mean_of(alarms);
}

/// The percentage of losses found that begin anywhere in the year's first half.
Estimate found(std::size_t trials, Noise noise, double step, double ramp, int checks) {
  std::mt19937_64 random(42);
  std::vector<double> shares;
  for (std::size_t seed = 0; seed * slow_series < trials; ++seed) {
    System system(100'000 + seed, noise);
    const int from = first_passes + static_cast<int>(random() % static_cast<unsigned>(checks_a_year / 2));
    for (int check = 0; check < from; ++check) system.check();
    std::array<bool, slow_series> any{};
    for (int check = 1; check <= checks; ++check) {
      const auto rings = system.check(slow_series, 1 - step - ramp * check);
      for (std::size_t i = 0; i < slow_series; ++i) any[i] = any[i] || rings[i];
    }
    double count = 0;
    for (const bool each : any) count += each ? 1 : 0;
    shares.push_back(100 * count / slow_series);
  }
  return mean_of(shares);
}

void cell(std::size_t systems, std::size_t trials, Noise noise, int year) {
  double repeats = 0;
  const Estimate alarms = false_alarms(systems, noise, year, repeats);
  const Estimate step = found(trials, noise, 0.03, 0, 4);
  const Estimate ramp = found(trials, noise, 0, 0.005, 10);
  std::cout << fmt::format(
                   "| {} | {} | {:.1f} % | {} | {:.3f} ± {:.3f} | {} | {:.1f} ± {:.1f} % | {:.1f} ± {:.1f} % "
                   "| {:.3f} |\n",
                   kinds[static_cast<std::size_t>(noise.kind)], noise.shared, 100 * noise.cov, systems,
                   alarms.value, alarms.error, trials, step.value, step.error, ramp.value, ramp.error,
                   repeats)
            << std::flush;
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = [&](int at, std::string_view text) { return argc <= at || text == argv[at]; };
  const std::size_t systems = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 300;
  const std::size_t trials = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 1000;
  const int year = argc > 6 ? std::max(1, std::atoi(argv[6])) : 1;
  checks_a_year = argc > 7 ? std::max(8, std::atoi(argv[7])) : checks_a_year;
  std::cout
      << "| noise | shared | CoV | systems | false alarms per system and year | trials | 3 % loss within 4 "
         "checks | 0.5 % ramp within 10 | repeats per series and check |\n"
         "|---|---|---|---|---|---|---|---|---|\n";
  for (std::size_t kind = 0; kind < kinds.size(); ++kind)
    for (const double shared : {0.0, 0.25, 0.5, 0.75})
      for (const double cov : {0.005, 0.01, 0.02}) {
        const bool everything = static_cast<Kind>(kind) == Kind::normal ||
                                static_cast<Kind>(kind) == Kind::mixed ||
                                static_cast<Kind>(kind) == Kind::alike || shared == 0 || shared == 0.5;
        if (static_cast<Kind>(kind) == Kind::mixed && shared < 0.5) continue;
        if (static_cast<Kind>(kind) == Kind::alike && shared == 0) continue;  // nothing to be alike
        if (!everything || !wanted(3, kinds[kind]) || !wanted(4, fmt::format("{}", shared)) ||
            !wanted(5, fmt::format("{}", cov)))
          continue;
        cell(systems, trials, {cov, shared, static_cast<Kind>(kind)}, year);
      }
  return 0;
}
