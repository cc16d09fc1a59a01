#include "reports/statistics/order_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr double rounding = 1 + 1e-9;  // 1 - 0.9 is not quite 0.1

/// The fewest values of which one lies below the quantile but for `missed`, and one above it.
std::size_t fewest(double share, double missed_below, double missed_above) {
  const double below = std::log(missed_below) / std::log1p(-share);
  const double above = missed_above < 1 ? std::log(missed_above) / std::log(share) : 1;
  return static_cast<std::size_t>(std::ceil(std::max({below, above, 1.0}) - 1e-9));
}

Result<std::vector<double>> sorted(std::span<const double> values, double share, double confidence) {
  if (!is_share(share) || !is_share(confidence))
    return fail("", fmt::format("no interval of the {} quantile at {} confidence", share, confidence),
                "both lie between 0 and 1");
  if (auto good = check_sample(values, 1, "the values"); !good) return failure_of(good);
  std::vector<double> ascending(values.begin(), values.end());
  std::sort(ascending.begin(), ascending.end());
  return ascending;
}

/// The greatest rank of which at most `missed` of all samples have their value above the quantile; 0: none.
std::size_t rank_below(std::size_t n, double share, double missed) {
  std::size_t rank = 0;
  while (rank < n && binomial_at_most(static_cast<double>(rank), n, share) <= missed * rounding) ++rank;
  return rank;
}

std::string quantile_name(double share) {
  return share == 0.5 ? "median" : fmt::format("{:g} quantile", share);
}

std::string values_text(std::size_t n) {
  return n == 1 ? "1 value gives" : fmt::format("{} values give", n);
}

tl::unexpected<Error> too_few(const std::vector<double>& ascending, double share, double confidence,
                              std::size_t needed) {
  const double n = static_cast<double>(ascending.size());
  const double covered = std::max(0.0, 1 - std::pow(share, n) - std::pow(1 - share, n));
  return fail("",
              fmt::format("{} no {} interval of the {}: from {} to {} is {}", values_text(ascending.size()),
                          percent_text(confidence, 0), quantile_name(share), number(ascending.front()),
                          number(ascending.back()), percent_text(covered)),
              fmt::format("{} values would do", needed));
}

}  // namespace

Result<OrderInterval> quantile_interval(std::span<const double> values, double share, double confidence) {
  auto ascending = sorted(values, share, confidence);
  if (!ascending) return failure_of(ascending);
  const std::size_t n = ascending->size();
  const double missed = (1 - confidence) / 2;
  const std::size_t low = rank_below(n, share, missed);
  const std::size_t from_above = rank_below(n, 1 - share, missed);
  if (low == 0 || from_above == 0 || low >= n + 1 - from_above)
    return too_few(*ascending, share, confidence, values_needed(share, confidence));
  OrderInterval found;
  found.low_rank = low;
  found.high_rank = n + 1 - from_above;
  found.low = (*ascending)[found.low_rank - 1];
  found.high = (*ascending)[found.high_rank - 1];
  found.coverage = binomial_at_most(static_cast<double>(found.high_rank) - 1, n, share) -
                   binomial_at_most(static_cast<double>(found.low_rank) - 1, n, share);
  return found;
}

Result<OrderInterval> median_interval(std::span<const double> values, double confidence) {
  return quantile_interval(values, 0.5, confidence);
}

Result<OrderInterval> quantile_lower_limit(std::span<const double> values, double share, double confidence) {
  auto ascending = sorted(values, share, confidence);
  if (!ascending) return failure_of(ascending);
  const std::size_t n = ascending->size();
  const std::size_t low = rank_below(n, share, 1 - confidence);
  if (low == 0)
    return fail(
        "",
        fmt::format("{} no {} lower limit of the {}: the least of them, {}, is one at {}", values_text(n),
                    percent_text(confidence, 0), quantile_name(share), number(ascending->front()),
                    percent_text(1 - std::pow(1 - share, static_cast<double>(n)))),
        fmt::format("{} values would do", fewest(share, 1 - confidence, 1)));
  OrderInterval found;
  found.low_rank = low;
  found.low = (*ascending)[low - 1];
  found.high = std::numeric_limits<double>::infinity();
  found.high_rank = n + 1;
  found.coverage = 1 - binomial_at_most(static_cast<double>(low) - 1, n, share);
  return found;
}

std::size_t values_needed(double share, double confidence) {
  const double missed = (1 - confidence) / 2;
  return fewest(share, missed, missed);
}

}  // namespace shakedown
