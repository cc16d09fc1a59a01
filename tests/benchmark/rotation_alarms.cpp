// How soon a slow node is found where a rotation measures few nodes at a time: simulated, seeded. 100 nodes,
// 4 a night, two runs of each; a part of the variance is each node's own, a part the night's, the rest
// differs with each run. Judged as `shakedown regress` judges: beside the nodes like it until a node has 8
// checks of its own. Prints results, asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_rotation_alarms [systems]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>

#include "reports/judge/regression.hpp"

using namespace shakedown;

namespace {

constexpr std::size_t nodes_of_system = 100;
constexpr std::size_t a_night = 4;

struct Spread {
  double cov = 0.01;     ///< of a run, all in all
  double of_node = 0.5;  ///< of the variance
  double of_night = 0.2;
};

struct Lost {
  std::size_t node = 0;
  int from = 0;  ///< the night
  double loss = 0;
};

struct Alarms {
  std::size_t wrong = 0;
  int found = -1;  ///< nights after the loss began
};

/// So many nights of a system, of which the first node of a night is watched beside the others.
Alarms watched_nights(std::uint64_t seed, const Spread& spread, int nights, const Lost& lost) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto part = [&](double share) { return spread.cov * std::sqrt(share); };
  std::vector<double> own(nodes_of_system);
  for (double& each : own) each = part(spread.of_node) * normal(random);
  std::vector<CheckSeries> series(nodes_of_system);
  for (std::size_t i = 0; i < nodes_of_system; ++i)
    series[i].name = {"hpl", "reference", "rmax_gflops", fmt::format("cn{}", i), "EPYC", ""};
  Alarms alarms;
  for (int night = 0; night < nights; ++night) {
    const double of_night = part(spread.of_night) * normal(random);
    std::vector<std::size_t> turn;
    for (std::size_t i = 0; i < a_night; ++i)
      turn.push_back((static_cast<std::size_t>(night) * a_night + i) % nodes_of_system);
    const auto run = [&](std::size_t node) {
      const double level = node == lost.node && night >= lost.from ? 1 - lost.loss : 1;
      return 100 * level *
             (1 + own[node] + of_night + part(1 - spread.of_node - spread.of_night) * normal(random));
    };
    for (const std::size_t node : turn) series[node].checks.push_back({"c", {run(node), run(node)}});
    while (true) {
      std::vector<CheckSeries> measured;
      for (const std::size_t node : turn) {
        series[node].like.clear();
        for (std::size_t i = 0; i < nodes_of_system; ++i)
          if (i != node && !series[i].checks.empty())
            series[node].like.push_back(series[i].checks.back().runs.front());
        measured.push_back(series[node]);
      }
      const CheckVerdict verdict = judged_check(measured, {}, {.checks_per_year = 365}).value();
      bool again = false;
      for (std::size_t i = 0; i < turn.size(); ++i) {
        const Watched& watched = verdict.series[i].watched;
        if (watched.state == WatchState::alarm) {
          const bool right = lost.loss > 0 && turn[i] == lost.node && night >= lost.from;
          if (!right)
            ++alarms.wrong;
          else if (alarms.found < 0)
            alarms.found = night - lost.from;
        }
        if (watched.state != WatchState::suspect) continue;
        again = true;
        for (std::size_t k = 0; k < watched.repeats_wanted; ++k)
          series[turn[i]].checks.back().runs.push_back(run(turn[i]));
      }
      if (!again) break;
    }
  }
  return alarms;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t systems = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 100;
  std::cout << "| CoV | nodes' own | the night's | systems | false alarms per system and year | loss | found "
               "within "
               "30 days | in the median after, days |\n|---|---|---|---|---|---|---|---|\n";
  for (const double cov : {0.005, 0.01, 0.02})
    for (const auto& [of_node, of_night] : {std::pair(0.0, 0.0), std::pair(0.5, 0.0), std::pair(0.5, 0.25)}) {
      const Spread spread{cov, of_node, of_night};
      double wrong = 0;
      for (std::size_t seed = 0; seed < systems; ++seed)
        wrong += static_cast<double>(watched_nights(20261122 + seed, spread, 199, {}).wrong) * 365 / 199;
      for (const double loss : {0.05, 0.10}) {
        std::vector<int> found;
        for (std::size_t seed = 0; seed < systems; ++seed) {
          const Lost lost{seed % nodes_of_system, 25 + static_cast<int>(seed % 100), loss};
          const int nights = watched_nights(77'000 + seed, spread, lost.from + 30, lost).found;
          found.push_back(nights < 0 ? 1'000'000 : nights);
        }
        std::sort(found.begin(), found.end());
        const auto within = std::count_if(found.begin(), found.end(), [](int nights) { return nights < 30; });
        const int middle = found[found.size() / 2];
        std::cout << fmt::format("| {:.1f} % | {} | {} | {} | {:.3f} | {:.0f} % | {:.0f} % | {} |\n",
                                 100 * cov, of_node, of_night, systems, wrong / static_cast<double>(systems),
                                 100 * loss, 100 * static_cast<double>(within) / static_cast<double>(systems),
                                 middle >= 30 ? "–" : fmt::format("{}", middle + 1))
                  << std::flush;
      }
    }
  return 0;
}
