#include "reports/statistics/control_chart.hpp"

#include <algorithm>
#include <cmath>

#include "reports/statistics/distributions.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {

Result<ControlLimits> individuals_chart(std::span<const double> values) {
  if (auto good = check_sample(values, 2, "the control region"); !good) return pass_on(good);
  constexpr double d2 = 1.128;  // the mean range of two normal values
  const Moments found = moments(values);
  double ranges = 0;
  for (std::size_t i = 1; i < values.size(); ++i) ranges += std::abs(values[i] - values[i - 1]);
  ControlLimits limits{found.mean, ranges / static_cast<double>(values.size() - 1) / d2, 0, 0, values.size()};
  limits.low = limits.centre - 3 * limits.deviation;
  limits.high = limits.centre + 3 * limits.deviation;
  return limits;
}

Result<ControlLimits> prediction_limits(std::span<const double> values, double tail) {
  if (auto good = check_sample(values, 3, "the control region"); !good) return pass_on(good);
  if (!(tail > 0) || !(tail < 0.5))
    return fail("", fmt::format("no limits that {} of the values pass", tail), "it lies between 0 and 0.5");
  const Moments found = moments(values);
  const double n = static_cast<double>(values.size());
  const double half = student_limit(tail, n - 1) * found.deviation * std::sqrt(1 + 1 / n);
  return ControlLimits{found.mean, found.deviation, found.mean - half, found.mean + half, values.size()};
}

Result<Trend> linear_trend(std::span<const double> values) {
  if (auto good = check_sample(values, 3, "the series"); !good) return pass_on(good);
  const double n = static_cast<double>(values.size());
  const double middle = (n - 1) / 2;
  const double mean = moments(values).mean;
  const double times = n * (n * n - 1) / 12;  // sum of squared distances of 0 ... n - 1 from their mean
  double products = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    products += (static_cast<double>(i) - middle) * (values[i] - mean);
  Trend trend;
  trend.slope = products / times;
  trend.total = trend.slope * (n - 1);
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i] - mean - trend.slope * (static_cast<double>(i) - middle);
    squares += off * off;
  }
  trend.error = std::sqrt(squares / (n - 2) / times);
  if (trend.slope == 0) return trend;
  // No spread about the line: the slope is beyond doubt.
  trend.p_rising =
      trend.error > 0 ? student_tail(trend.slope / trend.error, n - 2) : (trend.slope > 0 ? 0 : 1);
  trend.p_falling = 1 - trend.p_rising;
  if (trend.slope < 0 && trend.error > 0) trend.p_falling = student_tail(-trend.slope / trend.error, n - 2);
  return trend;
}

}  // namespace shakedown
