#include "reports/statistics/proportion.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

Result<void> check_k_of_n(std::size_t k, std::size_t n) {
  if (k >= 1 && k <= n) return {};
  return fail("", fmt::format("there is no {}-th best of {} runs", k, n), "k lies between 1 and n");
}

}  // namespace

Result<Proportion> wilson_interval(std::size_t successes, std::size_t trials, double confidence) {
  if (trials == 0 || successes > trials)
    return fail("", fmt::format("{} of {} is no success rate", successes, trials),
                "a rate needs a trial at least, and no more successes than trials");
  if (!(confidence > 0) || !(confidence < 1))
    return fail("", fmt::format("no interval at {} confidence", confidence), "it lies between 0 and 1");
  const double n = static_cast<double>(trials);
  const double rate = static_cast<double>(successes) / n;
  const double z = normal_limit((1 - confidence) / 2);
  const double centre = (rate + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
  return Proportion{rate, successes == 0 ? 0 : std::max(0.0, centre - half),
                    successes == trials ? 1 : std::min(1.0, centre + half)};
}

Result<double> best_of_confidence(std::size_t k, std::size_t n, double share) {
  if (auto good = check_k_of_n(k, n); !good) return pass_on(good);
  if (!(share > 0) || !(share < 1))
    return fail("", fmt::format("no {} quantile", share), "it lies between 0 and 1");
  // The k-th best lies at or below the quantile where at least n - k + 1 values do.
  return 1 - binomial_at_most(static_cast<double>(n - k), n, share);
}

Result<double> best_of_lower_limit(std::span<const double> values, std::size_t k, bool higher_is_better,
                                   double confidence) {
  if (auto good = check_sample(values, 1, "the runs"); !good) return pass_on(good);
  if (!(confidence > 0) || !(confidence < 1))
    return fail("", fmt::format("no limit at {} confidence", confidence), "it lies between 0 and 1");
  const std::size_t n = values.size();
  const auto sure = best_of_confidence(k, n);
  if (!sure) return pass_on(sure);
  if (*sure < confidence) {
    std::size_t enough = k;
    while (enough <= n && *best_of_confidence(enough, n) < confidence) ++enough;
    std::size_t runs = n;
    while (*best_of_confidence(runs, runs) < confidence) ++runs;
    return fail("",
                fmt::format("{} of {} is {} limit of the median at {} only, not {}",
                            k == 1 ? "the best" : fmt::format("number {}", k), n,
                            higher_is_better ? "a lower" : "an upper", percent_text(*sure),
                            percent_text(confidence, 0)),
                enough <= n ? fmt::format("number {} of {} would be one", enough, n)
                            : fmt::format("the worst of {} runs would be one", runs));
  }
  std::vector<double> ordered(values.begin(), values.end());
  if (higher_is_better)
    std::sort(ordered.begin(), ordered.end(), std::greater<>());
  else
    std::sort(ordered.begin(), ordered.end());
  return ordered[k - 1];
}

Result<double> chance_of_k_of_n(std::size_t k, std::size_t n, double chance) {
  if (auto good = check_k_of_n(k, n); !good) return pass_on(good);
  if (!(chance >= 0) || !(chance <= 1))
    return fail("", fmt::format("{} is no probability", chance), "it lies between 0 and 1");
  return 1 - binomial_at_most(static_cast<double>(k) - 1, n, chance);
}

}  // namespace shakedown
