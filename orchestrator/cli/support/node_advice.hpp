#pragma once
#include <string>
#include <vector>

#include "orchestrator/plan/suite.hpp"

namespace shakedown {

/// A sentence on a number of nodes near the planned one that the suite's model rates at least 1 % better per
/// rank: "97 nodes give 8 x 97 (-2.5 % per rank); 96 give 24 x 32". Empty: none, or the suite has no model.
///
/// `usable`: the hosts that may be used, those of the plan first. Looks up to 2 % of the nodes (at least 4)
/// to either side.
std::string better_node_count(const Suite& suite, const PlanRequest& request, const Case& planned,
                              const std::vector<std::string>& usable);

}  // namespace shakedown
