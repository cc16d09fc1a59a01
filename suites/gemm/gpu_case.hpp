#pragma once
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::gemm {

/// The screen of the GPUs of one node: each precision on each GPU alone, then on all at once. Predicted are
/// the rates of all GPUs together in the precisions whose peak the inventory states.
///
/// Fails with rule "requirements" where the nodes don't have the GPUs that the implementation needs.
Result<Case> gpu_case(const PlanRequest& request);

}  // namespace shakedown::gemm
