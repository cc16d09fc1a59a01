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

/// The model's dimensions.
struct Shape {
  int layers = 2;
  int width = 128;
  int heads = 4;
  int context = 64;  ///< tokens of a sample that are predicted
  int rank = 0;      ///< of the adapters; 0: none, and the base is trained
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// A layer: x + attention(norm(x)), then that + mlp(norm(that)), with squared ReLU between the two matrices
/// of the MLP, which is four times as wide.
///
/// Source: pre-norm as in GPT-2; squared ReLU: squared_relu.hpp.
template <class Real>
class Block {
 public:
  Block(Weights<Real>& weights, int layer, const Shape& shape);

  /// The block's output for `samples` texts; `x` must stay until the backward pass.
  void forward(const Real* x, int samples, Real* y);
  /// `dy` becomes the gradient by x, or stays unfinished where that is not `wanted`.
  void backward(const Real* x, int samples, Real* dy, bool wanted);

 private:
  Shape shape_;
  Norm<Real> norm1_;
  Linear<Real> qkv_;
  Attention<Real> attention_;
  Linear<Real> project_;
  Norm<Real> norm2_;
  Linear<Real> up_;
  Linear<Real> down_;

  std::vector<Real> normed1_, heads_, attended_, middle_, normed2_, hidden_, active_;
  std::vector<Real> d_width_, d_heads_, d_hidden_;
};

}  // namespace training
