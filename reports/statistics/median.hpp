#pragma once
#include <vector>

namespace shakedown {

/// The middle value, or the mean of the two middle ones. Precondition: `values` is not empty.
double median(std::vector<double> values);

/// The median of the distances from the median (MAD), in the unit of the values. 1.4826 times it estimates
/// the standard deviation of normal values, whatever half of them but one do. Precondition: not empty.
///
/// Source: F. R. Hampel, "The Influence Curve and Its Role in Robust Estimation", JASA 69, 1974.
double median_absolute_deviation(const std::vector<double>& values);

}  // namespace shakedown
