#pragma once
#include <span>
#include <vector>

#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// What packing must know of a job.
struct JobExtent {
  int nodes = 1;
  double time_s = 0;
  bool alone = false;   ///< no other may run beside it: it measures what all nodes share (a file system)
  bool screen = false;  ///< starts before all others, which refer to it
};

/// When each job starts, seconds after the first; the times are in the jobs' order. Either they start in that
/// order, none before the one before it, or the longest first, each as early as its nodes are free: whichever
/// ends sooner, their own order where both do. A job of more nodes than `nodes` counts as one of all of them.
///
/// Source: R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", 1969 (longest processing time first).
std::vector<double> packed(std::span<const JobExtent> jobs, int nodes);

/// The cost of `plan`, each node drawing `node_power_w` watts (0: not known). Its cases share the nodes that
/// they name, `nodes` where they name none; those that may run on the same hosts alone follow each other.
Cost plan_cost(const Plan& plan, int nodes, double node_power_w);

}  // namespace shakedown
