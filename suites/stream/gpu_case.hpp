#pragma once
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::stream {

/// The screen of the GPUs of one node: the memory of each alone and of all at once, the ways between host and
/// GPUs and among the GPUs. Predicted is the triad of all GPUs together where the inventory states their
/// bandwidth.
///
/// Fails with rule "requirements" where the nodes don't have the GPUs that the implementation needs, and with
/// rule STREAM-06 where their memory does not hold the arrays.
Result<Case> gpu_case(const PlanRequest& request);

}  // namespace shakedown::stream
