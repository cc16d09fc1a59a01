#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Mean and sample standard deviation (n - 1 in the divisor; 0 of one value).
struct Moments {
  std::size_t n = 0;
  double mean = 0;
  double deviation = 0;
};

/// Reads the values twice: large values with a small spread don't lose digits. Precondition: not empty.
Moments moments(std::span<const double> values);

/// Fails where a value is no finite number, or where there are fewer than `least`: `what` names the values
/// in the sentence ("the runs before").
Result<void> check_sample(std::span<const double> values, std::size_t least, std::string_view what);

/// Both samples of a comparison: at least two finite values each. One value, such as a published one, has no
/// spread of its own, so no p-value can be given against it; the sentence states so and names the way out.
Result<void> check_two_samples(std::span<const double> before, std::span<const double> after);

/// The middle value, or the mean of the two middle ones. Precondition: `values` is not empty.
double median(std::vector<double> values);

/// The median of the distances from the median (MAD), in the unit of the values. 1.4826 times it estimates
/// the standard deviation of normal values, whatever half of them but one do. Precondition: not empty.
///
/// Source: F. R. Hampel, "The Influence Curve and Its Role in Robust Estimation", JASA 69, 1974.
double median_absolute_deviation(const std::vector<double>& values);

}  // namespace shakedown
