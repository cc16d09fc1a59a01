#pragma once
#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::io500 {

/// How many ranks of each node write: the largest power of two that is no more than the usable cores and
/// keeps all ranks within `most_ranks` of the implementation's tuning, but at least one; or the pinned
/// `ranks_per_node`.
///
/// Fails where the pinned number is above a million in all.
Result<RankLayout> clients(const PlanRequest& request);

}  // namespace shakedown::io500
