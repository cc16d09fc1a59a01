#include "reports/statistics/shrinkage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/statistics/sample.hpp"

namespace shakedown {

Result<std::vector<double>> shrunk(std::span<const Estimate> estimates) {
  std::vector<double> values;
  double variance = 0;  // of the errors, on average
  const double k = static_cast<double>(estimates.size());
  for (const Estimate& each : estimates) {
    if (!(each.error >= 0) || std::isinf(each.error))
      return fail("", fmt::format("{} is no standard error", each.error), "give a number from 0 on");
    values.push_back(each.value);
    variance += each.error * each.error / k;
  }
  if (auto good = check_sample(values, 0, "the estimates"); !good) return failure_of(good);
  if (values.size() < 4) return values;
  const Moments all = moments(values);
  const double between = std::max(0.0, all.deviation * all.deviation - variance);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double own = estimates[i].error * estimates[i].error;
    if (own == 0) continue;
    const double drawn = (k - 3) / (k - 1) * own / (own + between);
    values[i] = all.mean + (1 - drawn) * (values[i] - all.mean);
  }
  return values;
}

}  // namespace shakedown
