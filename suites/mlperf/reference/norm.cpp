#include "suites/mlperf/reference/norm.hpp"

#include <cmath>

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

}  // namespace training
