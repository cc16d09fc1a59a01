#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "suites/mlperf/reference/block.hpp"

namespace training {

/// A decoder-only transformer: token and position embedding, blocks, norm, and the head that scores the next
/// token. With adapters (shape.rank > 0) the base is frozen and they alone are trained.
///
/// Real is float where it trains, and double, with plain loops for products, where it checks.
template <class Real>
class Model {
 public:
  explicit Model(const Shape& shape);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] Parameters<Real>& base() { return weights_.base; }
  [[nodiscard]] Parameters<Real>& adapters() { return weights_.adapters; }
  [[nodiscard]] Parameters<Real>& trained() { return shape_.rank > 0 ? weights_.adapters : weights_.base; }

  /// Random weights, the same on every rank.
  void initialize(std::uint64_t seed);
  /// Adapters that change nothing yet: A random, B = 0.
  void initialize_adapters(std::uint64_t seed);

  /// The sum over all predicted tokens of -ln P(token), for texts of context + 1 tokens each.
  double loss(std::span<const int> tokens);
  /// The same, and `weight` times its gradient is added to the gradients of what is trained.
  double accumulate(std::span<const int> tokens, double weight);

 private:
  int forward(std::span<const int> tokens);
  double cross_entropy(std::span<const int> tokens, double weight, bool backward);
  void embed(std::span<const int> tokens, int samples);
  void embed_backward(std::span<const int> tokens, int samples, const Real* dx);

  Shape shape_;
  Weights<Real> weights_;
  std::size_t tokens_;
  std::size_t positions_;
  std::deque<Block<Real>> blocks_;
  Norm<Real> norm_;
  std::size_t head_;

  std::vector<std::vector<Real>> between_;  ///< the blocks' inputs, and the last one's output
  std::vector<Real> normed_, logits_, d_normed_, dx_;
};

/// Operations that the model's products take for a token. What is no product (softmax, norms, AdamW) is not
/// counted, and attention is counted as it is computed: in full, not only the half that causality requires.
///
///     forward                       2 N + 2 R + 4 L T d
///     training, the whole model     6 N + 12 L T d
///     training, the adapters alone  4 N + 6 R + 12 L T d - 6 d^2 - 2 d r
///
/// N: parameters of the matrices and the head, without embeddings; R: of the adapters, of rank r; L layers, T
/// tokens of a sample, width d. With adapters the gradient by the base's matrices falls away, and the lowest
/// block passes none down from its queries, keys and values.
///
/// Source: Chowdhery et al., "PaLM", appendix B, for the training of a whole model.
struct FlopsPerToken {
  std::int64_t forward = 0;
  std::int64_t training = 0;
};

FlopsPerToken flops_per_token(const Shape& shape);

}  // namespace training
