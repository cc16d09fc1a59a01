#include "reports/statistics/paired_change.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/median.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// Two-sided; what did not change at all says nothing of a direction.
double sign_p(std::span<const double> shares) {
  const auto up = std::ranges::count_if(shares, [](double share) { return share > 0; });
  const auto down = std::ranges::count_if(shares, [](double share) { return share < 0; });
  if (up + down == 0) return 1;
  const auto fewer = static_cast<double>(std::min(up, down));
  return std::min(1.0, 2 * binomial_at_most(fewer, static_cast<std::size_t>(up + down), 0.5));
}

}  // namespace

Result<BeforeAfter> paired_change(std::span<const double> shares, Better better,
                                  const BeforeAfterLimits& limits) {
  if (auto good = check_sample(shares, 2, "the nodes"); !good) return failure_of(good);
  if (auto good = check_limits(limits); !good) return failure_of(good);
  BeforeAfter found;
  found.shift = median(std::vector<double>(shares.begin(), shares.end()));
  if (const auto interval = median_interval(shares, 1 - limits.significance)) {
    found.low = interval->low;
    found.high = interval->high;
    found.coverage = interval->coverage;
    found.can_be_sure = true;
  } else {
    const auto [least, most] = std::ranges::minmax(shares);
    found.low = least;
    found.high = most;
    found.coverage = 1 - std::pow(0.5, static_cast<double>(shares.size()) - 1);
  }
  found.p = sign_p(shares);
  found.change = change_of(found, better, limits);
  found.text = fmt::format("{}: {} {}, {} interval {} to {}, sign test p = {:.2g} ({} nodes)",
                           to_string(found.change), percent_text(std::abs(found.shift)),
                           found.shift < 0 ? "less" : "more", percent_text(found.coverage, 0),
                           percent_text(found.low), percent_text(found.high), found.p, shares.size());
  return found;
}

}  // namespace shakedown
