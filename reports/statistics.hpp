#pragma once
#include <vector>

namespace shakedown {

/// The middle value, or the mean of the two middle ones. Precondition: `values` is not empty.
double median(std::vector<double> values);

}  // namespace shakedown
