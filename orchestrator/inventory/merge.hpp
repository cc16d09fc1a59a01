#pragma once
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Nodes as few groups of equal hardware and software, the largest first, hostlists folded. Nothing is
/// averaged: whatever differs makes a group of its own. Sizes of memory and filesystems and clocks count as
/// equal within 1 %, and the group has the smallest; values that nodes can't share (uuids, free space) are
/// the smallest too, or omitted.
///
/// Groups are called `name`, `name-2`, ...
std::vector<NodeGroup> merged_groups(const std::vector<NodeGroup>& nodes, const std::string& name);

/// One inventory of many answers, each from one node. Notes that all have in common are unchanged, others get
/// the hosts they are from.
Inventory merged(const std::vector<Inventory>& answers, const std::string& system);

}  // namespace shakedown
