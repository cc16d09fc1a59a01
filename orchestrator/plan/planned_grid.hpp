#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

/// HPL's two-dimensional process grid: P rows by Q columns, one MPI rank per cell.
struct ProcessGrid {
  int P = 1;
  int Q = 1;
  [[nodiscard]] int ranks() const { return P * Q; }
  friend bool operator==(const ProcessGrid&, const ProcessGrid&) = default;
};

/// The grid with P <= Q whose P is the largest divisor of `ranks` that is no larger than sqrt(ranks).
///
/// Fails if `ranks` is not positive. A prime number of ranks gives 1 x ranks, which is valid but slow:
/// callers warn.
///
/// Source: netlib HPL, "Tuning": P and Q approximately equal, Q slightly larger than P.
Result<ProcessGrid> squarest_grid(int ranks);

/// The grid whose process rows stay on one rail: P is the largest divisor of `ranks` that is a
/// multiple of `ranks_per_node` and no larger than sqrt(ranks). Where there is none, it is ranks_per_node x
/// nodes, if that is at most twice as tall as wide (8 x 5 rather than 5 x 8); else the squarest grid with P
/// <= Q.
///
/// Fails if either is not positive.
///
/// Source: SAKURAONE, Tables 5 and 7 (784 -> 16 x 49, 768 -> 24 x 32); 8 x 4 on four nodes of 8 H100:
/// aws-samples/awsome-distributed-training, hpc-benchmarks.
Result<ProcessGrid> rail_aligned_grid(int ranks, int ranks_per_node);

/// A process grid with its reasons.
struct PlannedGrid {
  ProcessGrid grid;
  bool column_major = false;
  std::vector<Reason> why;
  std::vector<std::string> warnings;
  BetterNodes better_nodes;  ///< of the next smaller good grid, where this one is too long
};

/// The grid for the ranks of `layout`: on one node the vendor's own (`one_node_grid_<ranks>` of the
/// implementation's tuning) or the squarest; on several nodes with GPUs the rail-aligned one; else the
/// squarest.
///
/// Pinned P, Q and PMAP are taken as they are. Fails with rule HPL-05 where P x Q is not the number of ranks.
/// A grid more than four times as long as wide gets a warning that names the next smaller good size.
Result<PlannedGrid> planned_grid(const PlanRequest& request, const RankLayout& layout);

}  // namespace shakedown
