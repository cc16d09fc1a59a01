#include "reports/statistics/sample.hpp"

#include <algorithm>
#include <cmath>

namespace shakedown {

Moments moments(std::span<const double> values) {
  Moments found;
  found.n = values.size();
  const double n = static_cast<double>(values.size());
  for (const double value : values) found.mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - found.mean) * (value - found.mean);
  if (values.size() > 1) found.deviation = std::sqrt(squares / (n - 1));
  return found;
}

Result<void> check_sample(std::span<const double> values, std::size_t least, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return fail("", fmt::format("value {} of {} is {}, no finite number", i + 1, what, values[i]),
                  "leave out runs without a result, and count them in the success rate");
  if (values.size() < least)
    return fail("",
                fmt::format("{} {}: {} needed, {} there", what, values.empty() ? "are missing" : "are few",
                            least, values.size()),
                "make more runs");
  return {};
}

Result<void> check_two_samples(std::span<const double> before, std::span<const double> after) {
  for (const auto& [values, what] :
       {std::pair(before, "the first sample"), std::pair(after, "the second sample")}) {
    if (auto good = check_sample(values, 0, what); !good) return good;
    if (values.size() == 1)
      return fail("", fmt::format("{} is a single value, which has no spread: no test against it", what),
                  "compare with it by a declared tolerance, or make two runs at least");
    if (auto good = check_sample(values, 2, what); !good) return good;
  }
  return {};
}

double median(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return values.size() % 2 == 1 ? *half : (*std::max_element(values.begin(), half) + *half) / 2;
}

double median_absolute_deviation(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return median(std::move(distances));
}

}  // namespace shakedown
