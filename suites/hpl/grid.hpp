#pragma once
#include <string>
#include <vector>

#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/process_grid.hpp"
#include "orchestrator/plan/rank_layout.hpp"

namespace shakedown::hpl {

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
/// A grid more than four times as long as wide gets a warning that names the next smaller good size.
Result<PlannedGrid> planned_grid(const Implementation& implementation, const RankLayout& layout);

}  // namespace shakedown::hpl
