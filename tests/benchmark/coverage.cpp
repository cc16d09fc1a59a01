// Whether a rotating choice of idle nodes meets its promise: simulated years of nightly checks over 100
// nodes, 4 a night, seeded. Jobs hold nodes at random, drawn each night or for several. Prints results,
// asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_coverage [schedules]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>

#include "orchestrator/regression/node_rotation.hpp"

using namespace shakedown;

namespace {

constexpr long nights = 365;

/// The longest that any node went without a screen in one schedule. The last cover lies spread over the round
/// before the first night, as in a rotation that has been running.
long longest_gap(const RotationTerms& terms, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> chance;
  const double still = terms.still_busy > 0 ? terms.still_busy : terms.busy;
  const double taken = terms.busy < 1 ? terms.busy * (1 - still) / (1 - terms.busy) : 1;  // keeps the share
  std::vector<RotationNode> nodes(terms.nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].name = fmt::format("n{:03d}", i);
    nodes[i].covered_day = -1 - static_cast<long>(i / terms.per_check);
    nodes[i].idle = chance(random) >= terms.busy;
  }
  long longest = 0;
  for (long night = 0; night < nights; ++night) {
    for (RotationNode& node : nodes) node.idle = chance(random) >= (node.idle ? taken : still);
    for (const RotationNode& node : nodes) longest = std::max(longest, night - node.covered_day);
    for (const std::size_t i : rotation(nodes, terms.per_check)) nodes[i].covered_day = night;
  }
  return longest;
}

}  // namespace

int main(int argc, char** argv) {
  const int schedules = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::cout << "| nodes held | held the next night, too | promised days | schedules that keep it | longest "
               "gap seen, days |\n"
               "|---|---|---|---|---|\n";
  for (const auto& [busy, still] : std::vector<std::pair<double, double>>{
           {0, 0}, {0.3, 0}, {0.5, 0}, {0.5, 0.7}, {0.8, 0}, {0.8, 0.9}, {0.9, 0.95}, {0.97, 0.98}}) {
    const RotationTerms terms{.nodes = 100, .per_check = 4, .busy = busy, .still_busy = still};
    const auto promised = promised_days(terms);
    if (!promised) {
      std::cout << fmt::format("| {:.0f} % | {} | none: {} | - | - |\n", 100 * busy, still,
                               promised.error().what);
      continue;
    }
    int kept = 0;
    long longest = 0;
    for (int schedule = 0; schedule < schedules; ++schedule) {
      const long gap = longest_gap(terms, 20261122 + static_cast<std::uint64_t>(schedule));
      kept += gap <= static_cast<long>(*promised) ? 1 : 0;
      longest = std::max(longest, gap);
    }
    std::cout << fmt::format("| {:.0f} % | {} | {} | {} of {} | {} |\n", 100 * busy,
                             still > 0 ? fmt::format("{:.0f} %", 100 * still) : "at random", *promised, kept,
                             schedules, longest)
              << std::flush;
  }
  return 0;
}
