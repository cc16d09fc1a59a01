#include "suites/mlperf/reference/block.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "suites/mlperf/reference/linear.hpp"

namespace training {
namespace {

constexpr double kEpsilon = 1e-5;

std::string name(int layer, const char* part) {
  return "layer " + std::to_string(layer) + " " + part;
}

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

template <class Real>
Block<Real>::Block(Weights<Real>& weights, int layer, const Shape& shape)
    : shape_(shape),
      norm1_(weights, name(layer, "norm 1"), shape.width, shape.rank > 0),
      qkv_(weights, name(layer, "qkv"), {shape.width, 3 * shape.width, shape.rank}),
      attention_(shape.context, shape.width, shape.heads),
      project_(weights, name(layer, "project"), {shape.width, shape.width, shape.rank}),
      norm2_(weights, name(layer, "norm 2"), shape.width, shape.rank > 0),
      up_(weights, name(layer, "up"), {shape.width, 4 * shape.width, shape.rank}),
      down_(weights, name(layer, "down"), {4 * shape.width, shape.width, shape.rank}) {}

template <class Real>
void Block<Real>::forward(const Real* x, int samples, Real* y) {
  const int rows = samples * shape_.context;
  const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(shape_.width);
  for (auto* each : {&normed1_, &attended_, &middle_, &normed2_}) each->resize(size);
  heads_.resize(3 * size);
  hidden_.resize(4 * size);
  active_.resize(4 * size);

  norm1_.forward(x, rows, normed1_.data());
  qkv_.forward(normed1_.data(), rows, heads_.data());
  attention_.forward(heads_.data(), samples, attended_.data());
  project_.forward(attended_.data(), rows, middle_.data());
  for (std::size_t i = 0; i < size; ++i) middle_[i] += x[i];

  norm2_.forward(middle_.data(), rows, normed2_.data());
  up_.forward(normed2_.data(), rows, hidden_.data());
  squared_relu(std::span<const Real>(hidden_), std::span<Real>(active_));
  down_.forward(active_.data(), rows, y);
  for (std::size_t i = 0; i < size; ++i) y[i] += middle_[i];
}

template <class Real>
void Block<Real>::backward(const Real* x, int samples, Real* dy, bool wanted) {
  const int rows = samples * shape_.context;
  d_width_.resize(middle_.size());
  d_heads_.resize(heads_.size());
  d_hidden_.resize(hidden_.size());

  down_.backward(active_.data(), dy, rows, d_hidden_.data());
  squared_relu_backward(std::span<const Real>(hidden_), std::span<Real>(d_hidden_));
  up_.backward(normed2_.data(), d_hidden_.data(), rows, d_width_.data());
  norm2_.backward(middle_.data(), d_width_.data(), rows, dy);

  project_.backward(attended_.data(), dy, rows, d_width_.data());
  attention_.backward(heads_.data(), d_width_.data(), samples, d_heads_.data());
  qkv_.backward(normed1_.data(), d_heads_.data(), rows, wanted ? d_width_.data() : nullptr);
  if (wanted) norm1_.backward(x, d_width_.data(), rows, dy);
}

template class Block<float>;
template class Block<double>;

namespace {

/// Row i becomes the softmax of its first i + 1 entries times `scale`, then zeros.
template <class Real>
void causal_softmax(Real* scores, int length, Real scale) {
  for (int i = 0; i < length; ++i, scores += length) {
    const Real largest = *std::max_element(scores, scores + i + 1);
    Real sum = 0;
    for (int j = 0; j <= i; ++j) sum += scores[j] = std::exp((scores[j] - largest) * scale);
    for (int j = 0; j <= i; ++j) scores[j] /= sum;
    std::fill(scores + i + 1, scores + length, Real{0});
  }
}

/// From the gradient by the odds, in place, that by the scores.
template <class Real>
void softmax_backward(const Real* odds, Real* d, int length, Real scale) {
  for (int i = 0; i < length; ++i, odds += length, d += length) {
    Real dot = 0;
    for (int j = 0; j <= i; ++j) dot += odds[j] * d[j];
    for (int j = 0; j <= i; ++j) d[j] = odds[j] * (d[j] - dot) * scale;
    std::fill(d + i + 1, d + length, Real{0});
  }
}

}  // namespace

template <class Real>
Attention<Real>::Attention(int length, int width, int heads) : length_(length), width_(width), heads_(heads) {
  d_odds_.resize(static_cast<std::size_t>(length) * static_cast<std::size_t>(length));
}

template <class Real>
void Attention<Real>::forward(const Real* qkv, int samples, Real* out) {
  const int T = length_;
  const int head = width_ / heads_;
  const int stride = 3 * width_;
  const auto scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(head)));
  odds_.resize(d_odds_.size() * static_cast<std::size_t>(samples) * static_cast<std::size_t>(heads_));
  Real* odds = odds_.data();
  for (int s = 0; s < samples; ++s, qkv += T * stride, out += T * width_)
    for (int h = 0; h < heads_; ++h, odds += T * T) {
      const Real* q = qkv + h * head;
      gemm({T, T, head}, Factor<Real>{q, stride}, Factor<Real>{q + width_, stride, true},
           Product<Real>{odds, T});
      causal_softmax(odds, T, scale);
      gemm({T, head, T}, Factor<Real>{odds, T}, Factor<Real>{q + 2 * width_, stride},
           Product<Real>{out + h * head, width_});
    }
}

template <class Real>
void Attention<Real>::backward(const Real* qkv, const Real* dout, int samples, Real* dqkv) {
  const int T = length_;
  const int head = width_ / heads_;
  const int stride = 3 * width_;
  const auto scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(head)));
  const Real* odds = odds_.data();
  Real* d = d_odds_.data();
  for (int s = 0; s < samples; ++s, qkv += T * stride, dqkv += T * stride, dout += T * width_)
    for (int h = 0; h < heads_; ++h, odds += T * T) {
      const Real* q = qkv + h * head;
      const Real* dy = dout + h * head;
      Real* dq = dqkv + h * head;
      gemm({T, T, head}, Factor<Real>{dy, width_}, Factor<Real>{q + 2 * width_, stride, true},
           Product<Real>{d, T});
      gemm({T, head, T}, Factor<Real>{odds, T, true}, Factor<Real>{dy, width_},
           Product<Real>{dq + 2 * width_, stride});
      softmax_backward(odds, d, T, scale);
      gemm({T, head, T}, Factor<Real>{d, T}, Factor<Real>{q + width_, stride}, Product<Real>{dq, stride});
      gemm({T, head, T}, Factor<Real>{d, T, true}, Factor<Real>{q, stride},
           Product<Real>{dq + width_, stride});
    }
}

template class Attention<float>;
template class Attention<double>;

}  // namespace training
