#pragma once
#include <string_view>
#include <vector>

#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The placeholder of a node's name in a case that stands for one on each of its `hosts`: its id has it, so
/// that the cases' ids differ, and whatever else of it names the node.
inline constexpr std::string_view host_placeholder = "{host}";

/// Whether the case stands for one on each of its hosts.
bool is_for_each_node(const Case& planned);

/// How many cases it stands for; 1 for any other.
int node_count(const Case& planned);

/// The cases with those that stand for one on each node written out: node by node, of each node its
/// repetitions.
std::vector<Case> written_out(std::vector<Case> cases);

/// Gives each case an id of its own, since two must not share a folder: "-2" at the end of the second. Those
/// on each node that have an id and a node in common are written out, and so is one on a single node.
void number_equal_ids(std::vector<Case>& cases);

}  // namespace shakedown
