#include "reports/statistics/variance_components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/statistics/sample.hpp"

namespace shakedown {

Result<CheckShare> check_share(std::span<const std::vector<double>> checks) {
  double count = 0;
  double all = 0;
  double sizes_squared = 0;
  double within = 0;
  double mean = 0;
  std::vector<Moments> parts;
  for (const std::vector<double>& check : checks) {
    if (auto good = check_sample(check, 0, "a check"); !good) return failure_of(good);
    if (check.size() < 2) continue;
    parts.push_back(moments(check));
    const double n = static_cast<double>(check.size());
    count += 1;
    all += n;
    sizes_squared += n * n;
    within += parts.back().deviation * parts.back().deviation * (n - 1);
    mean += parts.back().mean * n;
  }
  if (parts.size() < 2)
    return fail("",
                fmt::format("{} checks of several runs are too few to estimate what a check has in common",
                            parts.size()),
                "repeat runs within two checks at least");
  mean /= all;
  double between = 0;
  for (const Moments& part : parts)
    between += static_cast<double>(part.n) * (part.mean - mean) * (part.mean - mean);
  between /= count - 1;
  within /= all - count;
  const double size = (all - sizes_squared / all) / (count - 1);
  const double total = between + (size - 1) * within;
  if (!(total > 0)) return fail("", "all runs of all checks gave the same", "give unrounded values");
  return CheckShare{(between - within) / total, std::sqrt(2 / (size * (size - 1) * (count - 1)))};
}

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
