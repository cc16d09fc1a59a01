#pragma once
#include <span>
#include <string>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/planning/wanted.hpp"

namespace shakedown {

/// A sentence on a smaller number of nodes whose rate per rank the suite's model puts at least 1 % above the
/// planned one, where the next larger ones are better too: "97 nodes, arranged as 8 x 97, are expected to
/// give 2.5 % less per rank than 96 nodes, arranged as 24 x 32". Empty: none, or the suite has no model.
///
/// `usable`: the hosts that may be used, those of the plan first. Looks up to 2 % of the nodes (4 to 8) to
/// either side, and never at a single node, whose ranks don't use the network.
std::string better_node_count(const Suite& suite, const PlanRequest& request, const Case& planned,
                              std::span<const std::string> usable);

/// Why a case has fewer nodes than are usable: "96 of 97 nodes: as a.toml:9 states; all 97, arranged as 8 x
/// 97, give 2.5 % less per rank"; empty: it has all.
std::string why_fewer_nodes(const Wanted& wanted, const PlanRequest& request, const Case& planned,
                            std::span<const std::string> usable);

}  // namespace shakedown
