#include "reports/statistics/rate_change.hpp"

#include <algorithm>
#include <cmath>

#include "reports/statistics/distributions.hpp"

namespace shakedown {
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
  return RateChange{
      *old, *fresh, difference, difference - below, difference + above, fisher_p(before, after)};
}

}  // namespace shakedown
