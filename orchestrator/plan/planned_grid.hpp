#pragma once
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/process_grid.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

/// A process grid with its reasons.
struct PlannedGrid {
  ProcessGrid grid;
  bool column_major = false;
  std::vector<Reason> why;
  std::vector<std::string> warnings;
};

/// The grid for the ranks of `layout`: on one node the vendor's own (`one_node_grid_<ranks>` of the
/// implementation's tuning) or the squarest; on several nodes with GPUs the rail-aligned one; else the
/// squarest.
///
/// Pinned P, Q and PMAP are taken as they are. Fails with rule HPL-05 where P x Q is not the number of ranks.
/// A grid more than four times as long as wide gets a warning that names the next smaller good size.
Result<PlannedGrid> planned_grid(const PlanRequest& request, const RankLayout& layout);

}  // namespace shakedown
