#pragma once
#include <span>
#include <string>
#include <vector>

#include "suites/mlperf/reference/linear.hpp"

namespace training {

/// y = g x / sqrt(mean(x^2) + eps), token by token. Source: Zhang and Sennrich, "Root mean square layer
/// normalization"; Llama has it.
template <class Real>
class Norm {
 public:
  Norm(Weights<Real>& weights, const std::string& name, int width, bool frozen);

  void forward(const Real* x, int rows, Real* y);
  /// Adds the gradient by x to `dx`.
  void backward(const Real* x, const Real* dy, int rows, Real* dx);

 private:
  Weights<Real>* weights_;
  int width_;
  bool frozen_;
  std::size_t g_;
  std::vector<Real> inverse_;  ///< 1 / sqrt(mean(x^2) + eps) of each token of the last forward
};

/// y = max(x, 0)^2. Source: So et al., "Primer".
void squared_relu(std::span<const float> x, std::span<float> y);
void squared_relu(std::span<const double> x, std::span<double> y);

/// From the gradient by y, in place, that by x.
void squared_relu_backward(std::span<const float> x, std::span<float> d);
void squared_relu_backward(std::span<const double> x, std::span<double> d);

}  // namespace training
