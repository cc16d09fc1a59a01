#include "reports/statistics/proportion.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/distributions.hpp"

namespace shakedown {
namespace {

Result<void> check_k_of_n(std::size_t k, std::size_t n) {
  if (k >= 1 && k <= n) return {};
  return fail("", fmt::format("there is no {}-th best of {} runs", k, n), "k lies between 1 and n");
}

Result<void> check_rate(std::size_t successes, std::size_t trials, double confidence) {
  if (trials == 0 || successes > trials)
    return fail("", fmt::format("{} of {} is no success rate", successes, trials),
                "a rate needs a trial at least, and no more successes than trials");
  if (!(confidence > 0) || !(confidence < 1))
    return fail("", fmt::format("no interval at {} confidence", confidence), "it lies between 0 and 1");
  return {};
}

}  // namespace

Result<Proportion> exact_interval(std::size_t successes, std::size_t trials, double confidence) {
  if (auto good = check_rate(successes, trials, confidence); !good) return failure_of(good);
  const double tail = (1 - confidence) / 2;
  return Proportion{static_cast<double>(successes) / static_cast<double>(trials),
                    binomial_lower_chance(successes, trials, tail),
                    1 - binomial_lower_chance(trials - successes, trials, tail)};
}

Result<Proportion> wilson_interval(std::size_t successes, std::size_t trials, double confidence) {
  if (auto good = check_rate(successes, trials, confidence); !good) return failure_of(good);
  const double n = static_cast<double>(trials);
  const double rate = static_cast<double>(successes) / n;
  const double z = normal_limit((1 - confidence) / 2);
  const double centre = (rate + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
  return Proportion{rate, successes == 0 ? 0 : std::max(0.0, centre - half),
                    successes == trials ? 1 : std::min(1.0, centre + half)};
}

Result<double> chance_of_k_of_n(std::size_t k, std::size_t n, double chance) {
  if (auto good = check_k_of_n(k, n); !good) return failure_of(good);
  if (!(chance >= 0) || !(chance <= 1))
    return fail("", fmt::format("{} is no probability", chance), "it lies between 0 and 1");
  return 1 - binomial_at_most(static_cast<double>(k) - 1, n, chance);
}

namespace {

double fisher_p(const Trials& before, const Trials& after) {
  const std::size_t all = before.trials + after.trials;
  const std::size_t successes = before.successes + after.successes;
  const std::size_t least = successes > before.trials ? successes - before.trials : 0;
  const std::size_t most = std::min(successes, after.trials);
  const auto chance = [&](std::size_t k) { return hypergeometric(k, after.trials, successes, all); };
  // Tables that are as likely as the one seen differ from it in the last digits only.
  const double seen = chance(after.successes) * (1 + 1e-7);
  double p = 0;
  for (std::size_t k = least; k <= most; ++k)
    if (const double each = chance(k); each <= seen) p += each;
  return std::min(p, 1.0);
}

}  // namespace

Result<RateChange> rate_change(const Trials& before, const Trials& after, double confidence) {
  const auto old = wilson_interval(before.successes, before.trials, confidence);
  if (!old) return failure_of(old);
  const auto fresh = wilson_interval(after.successes, after.trials, confidence);
  if (!fresh) return failure_of(fresh);
  const double difference = fresh->rate - old->rate;
  const double below = std::hypot(fresh->rate - fresh->low, old->high - old->rate);
  const double above = std::hypot(fresh->high - fresh->rate, old->rate - old->low);
  return RateChange{*exact_interval(before.successes, before.trials, confidence),
                    *exact_interval(after.successes, after.trials, confidence),
                    difference,
                    difference - below,
                    difference + above,
                    fisher_p(before, after)};
}

}  // namespace shakedown
