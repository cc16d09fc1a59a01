#pragma once

#include <span>

namespace training {

/// y = max(x, 0)^2. Source: So et al., "Primer".
void squared_relu(std::span<const float> x, std::span<float> y);
void squared_relu(std::span<const double> x, std::span<double> y);

/// From the gradient by y, in place, that by x.
void squared_relu_backward(std::span<const float> x, std::span<float> d);
void squared_relu_backward(std::span<const double> x, std::span<double> d);

}  // namespace training
