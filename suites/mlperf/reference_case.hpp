#pragma once
#include "orchestrator/plan/suite.hpp"

namespace shakedown::mlperf {

/// A case of our own training screen: a rank for each core, or for as many as there are samples in a batch.
/// Model, data and target are fixed, so no wished run time makes it smaller; if it is predicted to take
/// longer, a warning reports it.
///
///     time to train = FLOP until the target / (efficiency x FP32 GEMM of the ranks)
///
/// with twice the FP64 rate as that of FP32, and before it, of the fine-tuning, the pretraining's time. Fails
/// with "requirements" on more nodes than a batch has samples.
Result<Case> reference_case(const PlanRequest& request);

}  // namespace shakedown::mlperf
