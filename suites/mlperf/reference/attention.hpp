#pragma once

#include <vector>

namespace training {

/// Causal self-attention of several heads: each token takes a mean of the values of the tokens up to it.
template <class Real>
class Attention {
 public:
  /// Of texts of `length` tokens; `width` is that of all heads together.
  Attention(int length, int width, int heads);

  /// `qkv`: queries, keys and values of each token, 3 x width; `out`: width for each.
  void forward(const Real* qkv, int samples, Real* out);
  void backward(const Real* qkv, const Real* dout, int samples, Real* dqkv);

 private:
  int length_;
  int width_;
  int heads_;
  std::vector<Real> odds_;  ///< of the last forward: length x length for each head of each sample
  std::vector<Real> d_odds_;
};

}  // namespace training
