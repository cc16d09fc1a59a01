// How well slow nodes are found among many: simulated screenings, seeded. 1 node of 100 is slow by 3 to 10 %,
// the healthy ones differ by a spread of which one half (of the variance) is each node's own and the other
// differs with each run. Suspects run three times more. Then with a part that all runs of one time share, the
// first runs and the repeats each theirs. Prints results, asserts none: see docs/benchmarks.md.
//   build/<preset>/tests/benchmark_node_screening [shared]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "reports/statistics/node_outliers.hpp"
#include "reports/statistics/sample.hpp"

using namespace shakedown;

namespace {

constexpr std::size_t repeats = 3;
constexpr std::size_t days_before = 8;

struct Node {
  double own = 1;   ///< its healthy rate
  double slow = 0;  ///< 0.05: it has lost 5 %
};

struct Tally {
  std::size_t slow = 0, found = 0, suspects = 0, accused = 0, wrong = 0, healthy = 0;
  std::map<int, std::pair<std::size_t, std::size_t>> by_slowness;  ///< in half per cent: found, of
  [[nodiscard]] std::string smallest() const {
    // The smallest slowness from which on every class is found with 95 %.
    std::string least = "none up to 10 %";
    for (auto at = by_slowness.rbegin(); at != by_slowness.rend(); ++at) {
      if (static_cast<double>(at->second.first) < 0.95 * static_cast<double>(at->second.second)) break;
      least = fmt::format("{:.1f} %", at->first * 0.5);
    }
    return least;
  }
};

/// "z 3.5 or 97 %" without correction or repeat, as screens are often written.
std::vector<bool> common_rule(const std::vector<double>& rates) {
  const auto scores = *modified_z(rates);
  const double middle = median(rates);
  std::vector<bool> accused;
  for (std::size_t i = 0; i < rates.size(); ++i)
    accused.push_back(scores[i] < -3.5 || rates[i] < 0.97 * middle);
  return accused;
}

enum class Rule { common, without_history, with_history };

/// A screening of nodes of which every hundredth, counted from the `first`, is slow.
struct Screening {
  std::size_t first = 0;
  std::size_t count = 0;
  double spread = 0;
  double shared =
      0;  ///< what all runs of one time have in common: as a share of the spread's variance, beside it
  double alike = 0;  ///< the correlation of that between the first runs and the repeats
};

void screen(const Screening& screening, Rule rule, std::mt19937_64& random, Tally& tally) {
  const auto [begin, count, spread, shared, alike] = screening;
  std::normal_distribution<double> normal;
  const double part = spread / std::sqrt(2.0);
  std::vector<Node> nodes(count);
  for (std::size_t i = 0; i < count; ++i) {
    nodes[i].own = 1 + part * normal(random);
    if ((begin + i) % 100 == 0) nodes[i].slow = 0.03 + 0.07 * static_cast<double>(random() % 10'000) / 10'000;
  }
  double time = 0;  // what all runs of now share
  const auto healthy_run = [&](const Node& node) {
    return 100 * node.own * (1 + time + part * normal(random));
  };
  std::vector<std::vector<double>> before(count);
  for (std::size_t day = 0; rule == Rule::with_history && day < days_before; ++day) {
    std::vector<double> rates;
    time = std::sqrt(shared) * spread * normal(random);
    for (const Node& node : nodes) rates.push_back(healthy_run(node));
    const double level = median(rates);
    for (std::size_t i = 0; i < count; ++i) before[i].push_back(rates[i] / level);
  }
  std::vector<double> rates;
  time = std::sqrt(shared) * spread * normal(random);
  for (const Node& node : nodes) rates.push_back(healthy_run(node) * (1 - node.slow));
  std::vector<bool> accused;
  if (rule == Rule::common) {
    accused = common_rule(rates);
  } else {
    std::vector<NodeRate> measured;
    for (std::size_t i = 0; i < count; ++i)
      measured.push_back({.rate = rates[i], .before = before[i], .repeats = {}});
    const auto first = *screened_nodes(measured);
    std::vector<std::vector<double>> again(count);
    time = alike * time + std::sqrt((1 - alike * alike) * shared) * spread * normal(random);
    for (std::size_t i = 0; i < count; ++i) {
      if (!first[i].suspect) continue;
      ++tally.suspects;
      for (std::size_t run = 0; run < repeats; ++run)
        again[i].push_back(healthy_run(nodes[i]) * (1 - nodes[i].slow));
      measured[i].repeats = again[i];
    }
    const auto second = *screened_nodes(measured);
    for (const NodeVerdict& verdict : second) accused.push_back(verdict.confirmed);
  }
  for (std::size_t i = 0; i < count; ++i) {
    tally.accused += accused[i] ? 1 : 0;
    if (nodes[i].slow == 0) {
      ++tally.healthy;
      tally.wrong += accused[i] ? 1 : 0;
      continue;
    }
    ++tally.slow;
    tally.found += accused[i] ? 1 : 0;
    auto& [found, of] = tally.by_slowness[static_cast<int>(nodes[i].slow * 200)];
    found += accused[i] ? 1 : 0;
    ++of;
  }
}

void tell(const Screening& screening, Rule rule, const std::string& name) {
  std::mt19937_64 random(20261122);
  Tally tally;
  Screening each = screening;
  const std::size_t screenings = 400'000 / each.count;
  for (std::size_t i = 0; i < screenings; ++i) {
    each.first = i * each.count;
    screen(each, rule, random, tally);
  }
  const double all = static_cast<double>(tally.slow + tally.healthy);
  std::cout << fmt::format("| {} | {} | {:.1f} % | {:.1f} % | {} | {:.2f} | {:.1f} |\n", name, each.count,
                           100 * each.spread,
                           100 * static_cast<double>(tally.found) / static_cast<double>(tally.slow),
                           tally.smallest(), 1000 * static_cast<double>(tally.wrong) / all,
                           1000 * static_cast<double>(tally.suspects) / all)
            << std::flush;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::pair<Rule, const char*>> rules = {
      {Rule::common, "z 3.5 or 97 %, no repeat"},
      {Rule::without_history, "screened_nodes"},
      {Rule::with_history, "screened_nodes, 8 days' history"}};
  std::cout << "| method | nodes | spread | recall | smallest slowness found with 95 % | false accusations "
               "per 1000 nodes | "
               "repeated nodes per 1000 |\n|---|---|---|---|---|---|---|\n";
  if (argc > 1 && std::string(argv[1]) == "shared") {
    for (const auto& [rule, name] : rules)
      for (const double alike : {0.0, 0.8})
        for (const std::size_t count : {24, 100})
          for (const double spread : {0.005, 0.01, 0.02})
            tell({.count = count, .spread = spread, .shared = 0.5, .alike = alike}, rule,
                 fmt::format("{}, {} kept", name, alike));
    return 0;
  }
  for (const auto& [rule, name] : rules)
    for (const std::size_t count : {4, 6, 8, 10, 12, 16, 24, 48, 100, 1000, 10'000})
      for (const double spread : {0.005, 0.01, 0.02}) tell({.count = count, .spread = spread}, rule, name);
  return 0;
}
