#pragma once
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/mlperf/parallelism.hpp"

namespace shakedown::mlperf {

/// Bytes on the GPU that holds most of a divided training: the first stage of the pipeline, which has the
/// embeddings and waits longest for its gradients.
struct MemoryUse {
  double state = 0;        ///< parameters, their gradients and what the optimizer keeps
  double activations = 0;  ///< kept from forward to backward, and one microbatch's logits
  double workspace = 0;    ///< assumed: the CUDA context, buffers of NCCL and of the GEMMs
  [[nodiscard]] double total() const { return state + activations + workspace; }
};

/// With the implementation's model (layers, hidden, sequence, vocabulary, `parameters_billion`) and its bytes
/// per parameter (`state_bytes` on each GPU, `optimizer_bytes` over all copies) and per token, layer and
/// hidden unit (`activation_bytes`):
///
///     state = parameters / (TP PP) (state_bytes + optimizer_bytes / (DP CP))
///     activations = activation_bytes sequence hidden MBS / (TP CP) layers (1 + (PP - 1) / (PP VP))
///
/// Nothing is recomputed, and activations are divided by TP in full (sequence parallelism). All zero where
/// the implementation states no model.
///
/// Source: Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models" (2022),
/// equations 2 to 4 and section 4.2.3 (interleaved pipeline); Megatron-LM, "Distributed Optimizer": 6 + 12/d
/// bytes a parameter in BF16 with FP32 gradients.
MemoryUse memory_use(const Parallelism& one, const Implementation& implementation);

/// Fails with rule "memory" where the estimate exceeds the GPU's memory, without a hint; nothing is checked
/// where either is not known.
Result<void> check_memory(const Parallelism& one, const PlanRequest& request);

/// The estimate as a reason of the plan; no text where there is none.
Reason explained_memory(const Parallelism& one, const PlanRequest& request);

/// Fails with rule "requirements" where the GPUs lack the precision in which the recipes train.
Result<void> check_precision(const PlanRequest& request);

}  // namespace shakedown::mlperf
