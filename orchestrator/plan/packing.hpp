#pragma once
#include <span>
#include <vector>

#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// What packing must know of a job.
struct JobExtent {
  int nodes = 1;
  double time_s = 0;
  bool alone = false;  ///< no other may run beside it: it measures what all nodes share (a file system)
};

/// When each job starts, seconds after the first: in their order, each as early as its nodes are free and no
/// earlier than the one before it, so that screens stay before what refers to them. A job of more nodes than
/// `nodes` counts as one of all of them.
std::vector<double> packed(std::span<const JobExtent> jobs, int nodes);

/// The price of `plan` on a system of `nodes` nodes, each drawing `node_power_w` watts (0: not known).
Price priced(const Plan& plan, int nodes, double node_power_w);

}  // namespace shakedown
