#pragma once
#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

/// The case of a tool that measures the node it is started on, once: a process that has all of the node.
///
/// Fails with rule "one node" if the request is for several: the tool has no part that joins them.
Result<Case> planned_node_program(const PlanRequest& request);

/// Adds the predicted time from start to end, and the time limit that follows from it: the longest time that
/// is expected, `times` over, and `start_s` for what happens before (a container, a driver that wakes up).
struct ToolTime {
  Prediction wall;
  double times = 2;
  double start_s = 120;
  std::string because;  ///< where the times come from, a sentence
};
void add_time_limit(Case& planned, const ToolTime& time);

}  // namespace shakedown
