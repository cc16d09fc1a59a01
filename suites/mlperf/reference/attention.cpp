#include "suites/mlperf/reference/attention.hpp"

#include <algorithm>
#include <cmath>

#include "suites/mlperf/reference/gemm.hpp"

namespace training {
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
