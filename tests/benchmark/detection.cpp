// How well scheduled runs are watched: simulated systems of 40 series, weekly checks, seeded. False alarms of
// a system's first year, and how often a loss is found, beside simpler rules and published methods on the
// same series. Prints results, asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_detection [systems [method] | gains]     method: how its name begins
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "reports/statistics/change_points.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/sample.hpp"
#include "reports/statistics/watch.hpp"

using namespace shakedown;

namespace {

constexpr std::size_t series_of_system = 40;
constexpr std::size_t first_runs = 8;
constexpr std::size_t weeks = 52;
constexpr double pi = 3.14159265358979323846;

enum class Noise { normal, skewed, outliers, drift, shared };
struct NamedNoise {
  Noise noise;
  const char* name;
};
constexpr std::array<NamedNoise, 5> noises = {{{Noise::normal, "normal"},
                                               {Noise::skewed, "skewed"},
                                               {Noise::outliers, "outliers"},
                                               {Noise::drift, "drift"},
                                               {Noise::shared, "shared"}}};

/// The change that a simulated machine suffers.
struct Loss {
  double gain = 0;  ///< that nobody declared, from the 9th run on
  double step = 0;  ///< at once
  double ramp = 0;  ///< more with each run
  std::size_t from = 0;
  [[nodiscard]] double level(std::size_t run) const {
    const double healthy = run < first_runs ? 1 : 1 + gain;
    if (run < from || (step == 0 && ramp == 0)) return healthy;
    return healthy * (1 - step - ramp * static_cast<double>(run - from + 1));
  }
};

/// A machine's metric: 100 without noise.
class Machine {
 public:
  Machine(std::uint64_t seed, double cov, Noise noise, Loss loss)
      : random_(seed), cov_(cov), noise_(noise), loss_(loss) {
    phase_ = 2 * pi * uniform_(random_);
  }

  /// The first run of a check.
  double run(std::size_t check) {
    pass_ = check;
    day_ = normal_(random_);
    return once();
  }
  /// Another run of the same check.
  double once() {
    double off = normal_(random_);
    if (noise_ == Noise::skewed) {  // a gamma of shape 4, skewness 1, its long tail on the slow side
      std::gamma_distribution<double> gamma(4, 0.5);
      off = 2 - gamma(random_);
    }
    if (noise_ == Noise::shared) off = (off + day_) / std::sqrt(2.0);
    double value = 100 * (1 + cov_ * off) * loss_.level(pass_);
    if (noise_ == Noise::outliers && uniform_(random_) < 0.02) value *= 0.85 + 0.1 * uniform_(random_);
    if (noise_ == Noise::drift)
      value *=
          1 + 0.005 * std::sin(phase_ + 2 * pi * static_cast<double>(pass_) / static_cast<double>(weeks));
    return value;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  double cov_;
  Noise noise_;
  Loss loss_;
  std::size_t pass_ = 0;
  double day_ = 0;
  double phase_ = 0;  // of the season
};

/// A method's answer to each check of one series, and how many repeats it had run.
struct Watching {
  std::vector<bool> alarms;  ///< by check, from the first on
  std::size_t repeats = 0;
};
using Method = std::function<Watching(Machine, std::size_t checks)>;

Watching fixed_limit(Machine machine, std::size_t checks) {
  Watching said;
  std::vector<double> values;
  for (std::size_t check = 0; check < checks; ++check) {
    values.push_back(machine.run(check));
    said.alarms.push_back(check >= first_runs &&
                          values.back() < 0.95 * moments(std::span(values).first(first_runs)).mean);
  }
  return said;
}

Watching three_sigma(Machine machine, std::size_t checks) {
  Watching said;
  std::vector<double> values;
  for (std::size_t check = 0; check < checks; ++check) {
    values.push_back(machine.run(check));
    const Moments first = moments(std::span(values).first(std::min(first_runs, values.size())));
    said.alarms.push_back(check >= first_runs && values.back() < first.mean - 3 * first.deviation);
  }
  return said;
}

/// An alarm is a change point to the worse that was not reported near there before.
template <class Detector>
Watching retrospective(Machine machine, std::size_t checks, const Detector& detector) {
  Watching said;
  std::vector<double> values;
  std::vector<std::size_t> known;
  for (std::size_t check = 0; check < checks; ++check) {
    values.push_back(machine.run(check));
    bool alarm = false;
    if (check >= first_runs)
      for (const ChangePoint& point : detector(values)) {
        if (point.after >= point.before) continue;
        const bool old = std::any_of(known.begin(), known.end(), [&](std::size_t at) {
          return at <= point.index + 2 && point.index <= at + 2;
        });
        if (old) continue;
        known.push_back(point.index);
        alarm = true;
      }
    said.alarms.push_back(alarm);
  }
  return said;
}

Watching hunter(Machine machine, std::size_t checks, const HunterOptions& options) {
  return retrospective(std::move(machine), checks,
                       [&](const auto& values) { return *hunter_change_points(values, options); });
}

Watching divisive(Machine machine, std::size_t checks) {
  return retrospective(std::move(machine), checks, [](const auto& values) {
    auto points = *divisive_change_points(values);
    std::erase_if(points, [](const ChangePoint& point) { return std::abs(point.change()) < 0.02; });
    return points;
  });
}

Watching watched(Machine machine, std::size_t checks, std::size_t repeats_at_most, double shared = 0) {
  WatchLimits limits;
  limits.series_watched = series_of_system;
  limits.repeats_at_most = repeats_at_most;
  Watching said;
  std::vector<double> values;
  std::vector<std::vector<double>> earlier;
  for (std::size_t check = 0; check < checks; ++check) {
    values.push_back(machine.run(check));
    said.alarms.push_back(false);
    std::vector<double> repeats;
    const auto judged = [&] {
      return *watch({.values = values,
                     .repeats = repeats,
                     .earlier = earlier,
                     .shared = shared,
                     .by_checks = shared > 0},
                    limits);
    };
    if (check >= first_runs) {
      Watched verdict = judged();
      while (verdict.state == WatchState::suspect) {
        for (std::size_t i = 0; i < verdict.repeats_wanted; ++i) repeats.push_back(machine.once());
        verdict = judged();
      }
      said.repeats += repeats.size();
      said.alarms.back() = verdict.state == WatchState::alarm;
    }
    earlier.push_back(repeats.empty() ? std::vector<double>{values.back()} : repeats);
    if (earlier.size() >= control_newest) earlier.erase(earlier.begin());
  }
  return said;
}

struct NamedMethod {
  std::string name;
  Method watch;
  std::size_t systems;  ///< as many are simulated: slow methods get fewer
};

std::uint64_t seed_of(std::size_t series) {
  return 20261122 + 7919 * series;
}

struct FalseAlarms {
  double per_year = 0;
  double repeats = 0;  ///< per regular run
};

/// Alarms of consecutive checks, up to three quiet ones between, are one.
std::size_t episodes(const std::vector<bool>& alarms) {
  std::size_t count = 0;
  std::size_t quiet = 4;
  for (const bool alarm : alarms) {
    count += alarm && quiet >= 4 ? 1 : 0;
    quiet = alarm ? 0 : quiet + 1;
  }
  return count;
}

FalseAlarms false_alarms(const NamedMethod& method, double cov, Noise noise) {
  FalseAlarms found;
  for (std::size_t series = 0; series < method.systems * series_of_system; ++series) {
    const Watching said = method.watch(Machine(seed_of(series), cov, noise, {}), first_runs + weeks);
    found.per_year += static_cast<double>(episodes(said.alarms));
    found.repeats += static_cast<double>(said.repeats);
  }
  found.repeats /= static_cast<double>(method.systems * series_of_system * weeks);
  found.per_year /= static_cast<double>(method.systems);
  return found;
}

/// The share of series whose loss is found within so many runs. It begins right after the first runs, or
/// anywhere in the year.
double found_within(const NamedMethod& method, double cov, Noise noise, Loss loss, std::size_t runs,
                    bool early) {
  std::size_t found = 0;
  const std::size_t trials = std::min<std::size_t>(4000, method.systems * series_of_system);
  std::mt19937_64 random(42);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    loss.from = early ? first_runs : first_runs + random() % (weeks - runs);
    const Watching said = method.watch(Machine(seed_of(trial), cov, noise, loss), loss.from + runs);
    bool any = false;
    for (std::size_t run = loss.from; run < loss.from + runs; ++run) any = any || said.alarms[run];
    found += any ? 1 : 0;
  }
  return static_cast<double>(found) / static_cast<double>(trials);
}

/// A loss after a gain that nobody declared and that lasted so many checks.
void losses_after_gains() {
  std::cout << "| gain | lasted, checks | CoV | 5 % loss found within 4 checks | false alarms before |\n"
               "|---|---|---|---|---|\n";
  constexpr std::size_t trials = 1000;
  for (const double gain : {0.0, 0.03, 0.05, 0.10})
    for (const std::size_t lasted : {std::size_t{6}, std::size_t{12}, std::size_t{26}}) {
      const std::size_t from = first_runs + lasted;
      std::size_t found = 0;
      std::size_t early = 0;
      for (std::size_t trial = 0; trial < trials; ++trial) {
        const Loss loss{.gain = gain, .step = 0.05, .from = from};
        const Watching said = watched(Machine(seed_of(trial), 0.01, Noise::normal, loss), from + 4, 12);
        const auto at = said.alarms.begin() + static_cast<std::ptrdiff_t>(from);
        early += std::count(said.alarms.begin(), at, true) > 0 ? 1 : 0;
        found += std::count(at, said.alarms.end(), true) > 0 ? 1 : 0;
      }
      std::cout << fmt::format("| {:.0f} % | {} | 1.0 % | {:.1f} % | {} of {} |\n", 100 * gain, lasted,
                               100 * static_cast<double>(found) / trials, early, trials)
                << std::flush;
    }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "gains") {
    losses_after_gains();
    return 0;
  }
  const std::size_t systems = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 200;
  const std::size_t fewer = std::max<std::size_t>(1, systems * 2 / 5);
  const std::vector<NamedMethod> methods = {
      {"watch, 12 repeats at most", [](Machine m, std::size_t n) { return watched(std::move(m), n, 12); },
       systems},
      {"watch, 12, shared known", [](Machine m, std::size_t n) { return watched(std::move(m), n, 12, 0.5); },
       fewer},
      {"watch, 8 repeats at most", [](Machine m, std::size_t n) { return watched(std::move(m), n, 8); },
       fewer},
      {"watch, 4 repeats at most", [](Machine m, std::size_t n) { return watched(std::move(m), n, 4); },
       fewer},
      {"watch, no repeats", [](Machine m, std::size_t n) { return watched(std::move(m), n, 0); }, fewer},
      {"fixed 5 %", fixed_limit, systems},
      {"mean - 3 sigma", three_sigma, systems},
      {"Hunter, published defaults", [](Machine m, std::size_t n) { return hunter(std::move(m), n, {}); },
       std::max<std::size_t>(1, systems / 10)},
      {"Hunter, p 0.01, 2 %",
       [](Machine m, std::size_t n) { return hunter(std::move(m), n, {.p = 0.01, .magnitude = 0.02}); },
       std::max<std::size_t>(1, systems / 10)},
      {"E-divisive, p 0.01, 2 %", divisive, std::max<std::size_t>(1, systems / 50)},
  };
  std::cout << "| method | noise | CoV | systems | false alarms per system and year | 3 % loss within 4 "
               "runs, right "
               "after 8 | anywhere in the year | 0.5 % ramp within 10, right after 8 | anywhere | repeats "
               "per run |\n"
               "|---|---|---|---|---|---|---|---|---|---|\n";
  const std::string_view wanted = argc > 2 ? argv[2] : "";
  for (const NamedMethod& method : methods) {
    if (!method.name.starts_with(wanted)) continue;
    for (const NamedNoise& noise : noises)
      for (const double cov : {0.005, 0.01, 0.02}) {
        if (method.systems < fewer && noise.noise != Noise::normal && cov != 0.01) continue;
        const FalseAlarms alarms = false_alarms(method, cov, noise.noise);
        const auto found = [&](Loss loss, std::size_t runs, bool early) {
          return 100 * found_within(method, cov, noise.noise, loss, runs, early);
        };
        std::cout << fmt::format(
                         "| {} | {} | {:.1f} % | {} | {:.3f} | {:.1f} % | {:.1f} % | {:.1f} % | {:.1f} % | "
                         "{:.3f} |\n",
                         method.name, noise.name, 100 * cov, method.systems, alarms.per_year,
                         found({.step = 0.03}, 4, true), found({.step = 0.03}, 4, false),
                         found({.ramp = 0.005}, 10, true), found({.ramp = 0.005}, 10, false), alarms.repeats)
                  << std::flush;
      }
  }
  return 0;
}
