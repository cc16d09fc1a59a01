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

}  // namespace training
