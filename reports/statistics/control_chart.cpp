#include "reports/statistics/control_chart.hpp"

#include <algorithm>
#include <cmath>

#include "reports/statistics/distributions.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {

Result<ControlLimits> prediction_limits(const Moments& control, double tail) {
  if (control.n < 3)
    return fail("", fmt::format("{} values of the control region give no limits", control.n),
                "give 3 at least");
  if (!(tail > 0) || !(tail < 0.5))
    return fail("", fmt::format("no limits that {} of the values pass", tail), "it lies between 0 and 0.5");
  const double n = static_cast<double>(control.n);
  const double half = student_limit(tail, n - 1) * control.deviation * std::sqrt(1 + 1 / n);
  return ControlLimits{control.mean, control.deviation, control.mean - half, control.mean + half, control.n};
}

Result<Trend> linear_trend(std::span<const double> values) {
  if (auto good = check_sample(values, 3, "the series"); !good) return failure_of(good);
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
