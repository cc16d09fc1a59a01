#include "reports/judge/clause_risk.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "reports/statistics/distributions.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/proportion.hpp"

namespace shakedown {
namespace {

constexpr double middle_probability = 0.5;
constexpr double usually = 0.95;
constexpr double rarely = 0.05;

/// The rank of n runs that is a lower limit of the median.
Result<std::size_t> rank_of_limit(const Aggregation& how, int runs) {
  std::vector<double> ranks(static_cast<std::size_t>(runs));
  std::iota(ranks.begin(), ranks.end(), 1.0);
  const auto limit = quantile_lower_limit(ranks, middle_probability, how.confidence);
  if (!limit) return failure_of(limit);
  return limit->low_rank;
}

}  // namespace

Result<double> pass_probability(const Aggregation& how, int runs, double sigmas) {
  if (runs < how.fewest_runs())
    return fail("", fmt::format("{} runs make no {}", runs, how.text(">=")),
                fmt::format("{} would", how.fewest_runs()));
  const double meets = normal_tail(-sigmas);
  const auto n = static_cast<std::size_t>(runs);
  if (how.kind == "every") return std::pow(meets, runs);
  if (how.kind == "best_of")
    return chance_of_k_of_n(static_cast<std::size_t>(how.k), static_cast<std::size_t>(how.n), meets);
  if (how.kind == "lower_confidence") {
    const auto rank = rank_of_limit(how, runs);
    if (!rank) return failure_of(rank);
    return chance_of_k_of_n(n + 1 - *rank, n, meets);
  }
  if (how.kind != "median")
    return fail("", fmt::format("no chance follows from '{}'", how.kind), "it is no figure of runs");
  if (runs % 2 == 0) return normal_even_median_tail(-sigmas, n / 2);
  return chance_of_k_of_n((n + 1) / 2, n, meets);
}

Result<double> sigmas_for(const Aggregation& how, int runs, double probability) {
  double low = -12;
  double high = 12;
  constexpr int halvings = 60;  // to the last digit of a double
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::midpoint(low, high);
    const auto passes = pass_probability(how, runs, middle);
    if (!passes) return failure_of(passes);
    (*passes < probability ? low : high) = middle;
  }
  return std::midpoint(low, high);
}

Result<ClauseRisk> clause_risk(const Aggregation& how, int runs, int machines, double cov) {
  ClauseRisk risk;
  risk.runs = runs;
  risk.machines = machines;
  const auto good = pass_probability(how, runs, 1);
  const auto even = pass_probability(how, runs, 0);
  const auto bad = pass_probability(how, runs, -1);
  const auto sure = sigmas_for(how, runs, std::pow(usually, 1.0 / machines));
  const auto lucky = sigmas_for(how, runs, std::pow(rarely, 1.0 / machines));
  for (const auto* each : {&good, &even, &bad, &sure, &lucky})
    if (!*each) return failure_of(*each);
  risk.vendor = 1 - std::pow(*good, machines);
  risk.even = std::pow(*even, machines);
  risk.customer = std::pow(*bad, machines);
  risk.vendor_margin = *sure * cov;
  risk.customer_margin = *lucky * cov;
  return risk;
}

}  // namespace shakedown
