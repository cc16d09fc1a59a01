// Scheduled checks as `shakedown regress` judges them: simulated systems of 40 series, two runs of each in a
// check, the repeats that a suspicion asks for, and what the runs of a check share estimated from the checks,
// never given. False alarms of a system's first year, or of the year that is asked for, and how often a loss
// is found, with standard errors. Prints results, asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_checks [systems] [trials] [noise [shared [CoV [year [checks a year]]]]]
//   build/<preset>/tests/benchmark_checks parts [systems [trials [checks a year]]]   what each part is worth
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
/// check share falls from day to day: by a fifth, 0.8 of it is there the next day, 0.21 a week later.
enum class Kind { normal, skewed, outliers, drift, mixed, alike };
constexpr std::array<std::string_view, 6> kinds = {"normal", "skewed", "outliers", "drift", "mixed", "alike"};

/// The noise of a machine: a part of its variance is common to the runs of a check.
struct Noise {
  double cov = 0.01;
  double shared = 0;
  Kind kind = Kind::normal;
  double kept_a_day = 0.8;  // alike
};

class Machine {
 public:
  Machine(std::uint64_t seed, Noise noise) : random_(seed), noise_(noise) {
    phase_ = 2 * pi * uniform_(random_);
    if (noise_.kind == Kind::alike) kept_ = std::pow(noise_.kept_a_day, 365.0 / checks_a_year);
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
  System(std::uint64_t seed, Noise noise, const WatchParts& parts = {}) : parts_(parts) {
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
          judged_check(series_, {}, {.checks_per_year = static_cast<double>(checks_a_year), .parts = parts_})
              .value();
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
  WatchParts parts_;
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

/// Alarms per system in the checks `from` to `checks`, those with up to three quiet checks between being one,
/// and repeats per series and check.
struct FalseAlarms {
  Estimate alarms;
  double repeats = 0;
};

FalseAlarms false_alarms(std::size_t systems, Noise noise, const WatchParts& parts, int from, int checks) {
  std::vector<double> alarms;
  double repeats = 0;
  for (std::size_t seed = 0; seed < systems; ++seed) {
    System system(seed, noise, parts);
    std::vector<int> quiet(series_of_system, 4);
    double count = 0;
    for (int check = 0; check < checks; ++check) {
      const auto rings = system.check();
      for (std::size_t i = 0; i < rings.size(); ++i) {
        count += rings[i] && quiet[i] >= 4 && check >= from ? 1 : 0;
        quiet[i] = rings[i] ? 0 : quiet[i] + 1;
      }
    }
    alarms.push_back(count);
    repeats += static_cast<double>(system.repeats);
  }
  return {mean_of(alarms), repeats / (static_cast<double>(systems * series_of_system) * checks)};
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
  const int checks = first_passes + checks_a_year * year;
  const auto [alarms, repeats] =
      false_alarms(systems, noise, {}, year == 1 ? 0 : checks - checks_a_year, checks);
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

/// A loss, and for how many days one waits for its alarm.
struct WaitedLoss {
  double step = 0;
  double a_month = 0;
  int days = 0;
  bool weekly = false;  ///< only simulated where checks are few: long series take long
};

/// How long losses go unseen that begin right after a check of the first half year.
struct Delay {
  double found = 0;    ///< per cent, within the days one waits
  double median = -1;  ///< days; below 0: most are not found
};

double days_between_checks() {
  return 365.0 / checks_a_year;
}

Delay delay_of(std::size_t trials, Noise noise, const WatchParts& parts, const WaitedLoss& loss) {
  std::mt19937_64 random(42);
  std::vector<double> days;
  const int most = static_cast<int>(loss.days / days_between_checks());
  for (std::size_t seed = 0; days.size() < trials; ++seed) {
    System system(100'000 + seed, noise, parts);
    const int from =
        first_passes + static_cast<int>(random() % static_cast<unsigned>(std::min(checks_a_year / 2, 60)));
    for (int check = 0; check < from; ++check) system.check();
    std::array<int, slow_series> at{};
    for (int check = 1; check <= most && std::ranges::count(at, 0) > 0; ++check) {
      const double lost = loss.step + loss.a_month * check * days_between_checks() * 12 / 365;
      const auto rings = system.check(slow_series, 1 - lost);
      for (std::size_t i = 0; i < slow_series; ++i) at[i] = at[i] == 0 && rings[i] ? check : at[i];
    }
    for (const int check : at) days.push_back(check == 0 ? 1e9 : check * days_between_checks());
  }
  std::ranges::sort(days);
  const auto found = std::ranges::count_if(days, [](double each) { return each < 1e9; });
  const double middle = days[days.size() / 2];
  return {100 * static_cast<double>(found) / static_cast<double>(days.size()), middle < 1e9 ? middle : -1};
}

/// What the parts of the rule are worth: the same machines with and without them.
void parts_of_the_rule(std::size_t systems, std::size_t trials) {
  struct Rule {
    std::string_view name;
    WatchParts parts;
  };
  constexpr std::array<Rule, 5> rules = {{{"as it is", {}},
                                          {"no trend", {.trend = false}},
                                          {"no proof by several checks", {.checks = false}},
                                          {"neither", {.trend = false, .checks = false}},
                                          {"no proof by one check", {.at_once = false}}}};
  constexpr std::array<WaitedLoss, 5> losses = {{{.step = 0.02, .days = 84},
                                                 {.step = 0.05, .days = 84},
                                                 {.step = 0.10, .days = 84, .weekly = true},
                                                 {.a_month = 0.01, .days = 182},
                                                 {.a_month = 0.0025, .days = 546, .weekly = true}}};
  constexpr std::array<std::pair<std::string_view, Noise>, 3> machines = {
      {{"independent", {}},
       {"half shared", {.shared = 0.5}},
       {"half shared, days keep 0.5", {.shared = 0.5, .kind = Kind::alike, .kept_a_day = 0.5}}}};
  const int checks = first_passes + std::min(checks_a_year, 122);
  std::cout << "| checks a year | noise | CoV | rule | false alarms per system and year | 2 % at once: found "
               "within 84 days, in the median after | 5 % at once | 10 % at once | 1 % a month: within 182 "
               "days | 0.25 % a month: within 546 days |\n"
               "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [name, machine] : machines)
    for (const double cov : {0.01, 0.02})
      for (const Rule& rule : rules) {
        Noise noise = machine;
        noise.cov = cov;
        const Estimate alarms = false_alarms(systems, noise, rule.parts, 0, checks).alarms;
        const double years = static_cast<double>(checks - first_passes) / checks_a_year;
        std::cout << fmt::format("| {} | {} | {:.0f} % | {} | {:.2f} ± {:.2f} |", checks_a_year, name,
                                 100 * cov, rule.name, alarms.value / years, alarms.error / years);
        for (const WaitedLoss& loss : losses) {
          if (loss.weekly && checks_a_year > 52) {
            std::cout << " not run |";
            continue;
          }
          const Delay delay = delay_of(trials, noise, rule.parts, loss);
          std::cout << fmt::format(" {:.0f} %, {} |", delay.found,
                                   delay.median < 0 ? "–" : fmt::format("{:.0f} d", delay.median));
        }
        std::cout << "\n" << std::flush;
      }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "parts") {
    const auto number = [&](int at, int otherwise) {
      return argc > at ? std::max(1, std::atoi(argv[at])) : otherwise;
    };
    checks_a_year = std::max(8, number(4, checks_a_year));
    parts_of_the_rule(static_cast<std::size_t>(number(2, 50)), static_cast<std::size_t>(number(3, 100)));
    return 0;
  }
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
