#include "suites/mlperf/reference/norm.hpp"

#include <cmath>
#include <cstddef>

namespace training {
namespace {

constexpr double kEpsilon = 1e-5;

}  // namespace

template <class Real>
Norm<Real>::Norm(Weights<Real>& weights, const std::string& name, int width, bool frozen)
    : weights_(&weights),
      width_(width),
      frozen_(frozen),
      g_(weights.base.add(name, static_cast<std::size_t>(width), false)) {}

template <class Real>
void Norm<Real>::forward(const Real* x, int rows, Real* y) {
  inverse_.resize(static_cast<std::size_t>(rows));
  const Real* g = weights_->base.value(g_);
  for (Real& inverse : inverse_) {
    Real squares = 0;
    for (int j = 0; j < width_; ++j) squares += x[j] * x[j];
    inverse = 1 / std::sqrt(squares / static_cast<Real>(width_) + static_cast<Real>(kEpsilon));
    for (int j = 0; j < width_; ++j) y[j] = g[j] * x[j] * inverse;
    x += width_;
    y += width_;
  }
}

template <class Real>
void Norm<Real>::backward(const Real* x, const Real* dy, int rows, Real* dx) {
  const Real* g = weights_->base.value(g_);
  Real* dg = weights_->base.gradient(g_);
  for (int i = 0; i < rows; ++i) {
    const Real inverse = inverse_[static_cast<std::size_t>(i)];
    Real dot = 0;
    for (int j = 0; j < width_; ++j) dot += g[j] * dy[j] * x[j];
    const Real back = dot * inverse * inverse * inverse / static_cast<Real>(width_);
    for (int j = 0; j < width_; ++j) dx[j] += g[j] * dy[j] * inverse - x[j] * back;
    if (!frozen_)
      for (int j = 0; j < width_; ++j) dg[j] += dy[j] * x[j] * inverse;
    x += width_;
    dy += width_;
    dx += width_;
  }
}

template class Norm<float>;
template class Norm<double>;

namespace {

// (x + |x|) / 2 in place of max(x, 0): compilers make that a branch, which no processor can predict.
template <class Real>
inline void forward(const Real* __restrict x, Real* __restrict y, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const Real twice = x[i] + std::fabs(x[i]);
    y[i] = twice * twice / 4;
  }
}

template <class Real>
inline void backward(const Real* __restrict x, Real* __restrict d, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) d[i] *= x[i] + std::fabs(x[i]);
}

}  // namespace

void squared_relu(std::span<const float> x, std::span<float> y) {
  forward(x.data(), y.data(), x.size());
}
void squared_relu(std::span<const double> x, std::span<double> y) {
  forward(x.data(), y.data(), x.size());
}
void squared_relu_backward(std::span<const float> x, std::span<float> d) {
  backward(x.data(), d.data(), x.size());
}
void squared_relu_backward(std::span<const double> x, std::span<double> d) {
  backward(x.data(), d.data(), x.size());
}

}  // namespace training
