#pragma once

#include <cstdint>

#include "suites/mlperf/reference/block.hpp"

namespace training {

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
