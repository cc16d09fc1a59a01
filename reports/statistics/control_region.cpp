#include "reports/statistics/control_region.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/statistics/distributions.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::array<std::size_t, 3> windows = {1, 2, 4};

/// Mean and spread of values that come one by one. Source: B. P. Welford, Technometrics 4, 1962.
struct Running {
  double n = 0;
  double mean = 0;
  double squares = 0;
  void add(double value) {
    n += 1;
    const double off = value - mean;
    mean += off / n;
    squares += off * (value - mean);
  }
  [[nodiscard]] double variance() const { return n > 1 ? squares / (n - 1) : 0; }
};

/// Student's t limits of one tail by their expansion about the normal limit: within 1 % from 7 degrees of
/// freedom on at 0.1 %. Source: M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 26.7.5.
class StudentLimits {
 public:
  explicit StudentLimits(double tail) : tail_(tail) {
    const double z = normal_limit(tail);
    const double z2 = z * z;
    terms_ = {z, z * (z2 + 1) / 4, z * ((5 * z2 + 16) * z2 + 3) / 96,
              z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384};
  }
  [[nodiscard]] double at(double freedom) const {
    if (freedom < 7) return student_limit(tail_, freedom);
    return terms_[0] + (terms_[1] + (terms_[2] + terms_[3] / freedom) / freedom) / freedom;
  }

 private:
  double tail_;
  std::array<double, 4> terms_{};
};

/// Begins the control region with the first 8 values, but for the lowest where that clearly lies below the 7
/// others: it would widen all limits for months. No other takes its place: the 8th may be the first of a loss
/// that lasts. Returns how many values that took.
std::size_t put_first(std::span<const double> turned, double least_loss, const StudentLimits& limits,
                      std::vector<bool>& kept_out, Running& control) {
  const auto first = turned.first(std::min(control_least, turned.size() - 1));
  const auto lowest = std::ranges::min_element(first);
  for (auto it = first.begin(); it != first.end(); ++it)
    if (it != lowest) control.add(*it);
  const double loss = control.mean - *lowest;
  const double error2 = control.variance() * (1 + 1 / control.n);
  if (first.size() == control_least && loss >= least_loss &&
      loss * loss >= error2 * std::pow(limits.at(control.n - 1), 2))
    kept_out[static_cast<std::size_t>(lowest - first.begin())] = true;
  else
    control.add(*lowest);
  return first.size();
}

}  // namespace

ControlRegion control_region(std::span<const double> turned, double tail, double least_loss) {
  ControlRegion found;
  found.kept_out.assign(turned.size(), false);
  const StudentLimits limits(tail);
  const StudentLimits clear(tail / 10);
  Running control;
  const StudentLimits of_lowest(tail / 10 / control_least);
  const std::size_t begin = put_first(turned, least_loss, of_lowest, found.kept_out, control);
  found.begin = begin;
  for (std::size_t i = begin; i < turned.size(); ++i) {
    if (i >= begin + control_newest && !found.kept_out[i - control_newest])
      control.add(turned[i - control_newest]);
    const bool newest = i + 1 == turned.size();
    const double limit2 = std::pow(limits.at(control.n - 1), 2);
    const double clear2 = std::pow(clear.at(control.n - 1), 2);
    double sum = 0;
    double furthest = -1;
    double clearest = 0;
    std::size_t marked = 0;
    for (std::size_t w = 1; w <= control_newest && i + 1 >= begin + w; ++w) {
      sum += turned[i + 1 - w];
      if (std::find(windows.begin(), windows.end(), w) == windows.end()) continue;
      const double loss = control.mean - sum / static_cast<double>(w);
      const double error2 = control.variance() * (1 / static_cast<double>(w) + 1 / control.n);
      const double far = loss > 0 ? loss * loss / std::max(error2, 1e-300) : 0;
      const bool large = loss >= least_loss;
      if (large && far >= clear2 && far > clearest) {
        clearest = far;
        marked = w;
      }
      if (!newest) continue;
      found.newest_suspect = found.newest_suspect || (large && far >= limit2);
      if (far > furthest) {
        furthest = far;
        found.window = w;
        found.loss = loss;
      }
    }
    for (std::size_t w = 0; w < marked; ++w) found.kept_out[i - w] = true;
  }
  found.control = {static_cast<std::size_t>(control.n), control.mean, std::sqrt(control.variance())};
  return found;
}

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
