#include "reports/statistics/lasting_gain.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/statistics/change_points.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/mann_whitney.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

using Values = std::span<const double>;

double middle(Values values) {
  return median({values.begin(), values.end()});
}

double p_above(const Moments& low, const Moments& high) {
  const double n = static_cast<double>(low.n);
  const double m = static_cast<double>(high.n);
  const double freedom = n + m - 2;
  const double squares = low.deviation * low.deviation * (n - 1) + high.deviation * high.deviation * (m - 1);
  const double error = std::sqrt(squares / freedom * (1 / n + 1 / m));
  return error > 0 ? student_tail((high.mean - low.mean) / error, freedom) : 0;
}

/// The gain of `fresh` over `level`, where it is clear.
std::optional<LastingGain> clear_gain(Values level, Values fresh, double least, double significance) {
  if (middle(fresh) - middle(level) < least) return std::nullopt;
  const Moments before = moments(level);
  const Moments after = moments(fresh);
  const LastingGain found{0, after.mean - before.mean, p_above(before, after)};
  if (found.gain < least || found.p > significance) return std::nullopt;
  const auto ranks = mann_whitney_test(level, fresh, Alternative::is_greater);
  const double pairs = static_cast<double>(level.size() * fresh.size());
  if (!ranks || (ranks->p > significance && ranks->statistic < pairs)) return std::nullopt;
  return found;
}

}  // namespace

std::optional<LastingGain> lasting_gain(std::span<const double> turned, double least, double significance) {
  if (turned.size() < 2 * control_least) return std::nullopt;
  std::vector<double> ratios;
  ratios.reserve(turned.size());
  for (const double value : turned) ratios.push_back(std::exp(value - turned.front()));
  const auto points = hunter_change_points(ratios, weekly_hunter);
  if (!points) return std::nullopt;
  std::optional<LastingGain> last;
  Values level;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < points->size(); ++i) {
    const std::size_t at = (*points)[i].index;
    const Values segment = turned.subspan(begin, at - begin);
    if (level.empty() || middle(segment) > middle(level)) level = segment;
    begin = at;
    const std::size_t next = i + 1 < points->size() ? (*points)[i + 1].index : turned.size();
    const std::size_t end = std::max(next, at + control_least);
    if (end > turned.size()) continue;
    auto gain =
        clear_gain(level, turned.subspan(at, end - at), least, std::min(significance, weekly_hunter.p));
    if (!gain) continue;
    gain->from = at;
    last = gain;
    level = {};
  }
  return last;
}

}  // namespace shakedown
