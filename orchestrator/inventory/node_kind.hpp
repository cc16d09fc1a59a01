#pragma once
#include <set>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Nodes that one case can be planned on: processors, memory, GPUs and NICs are the same. Firmware, drivers,
/// kernels, boards and mounts may differ: `heterogeneity` reports such nodes; they are not excluded.
struct NodeKind {
  NodeGroup like;                  ///< the first of its groups, with the smallest memory of them all
  std::vector<std::string> hosts;  ///< of all its groups, in the order of the inventory
  int groups = 1;
};

/// The names of all nodes; a group whose hostlist can't be read has none.
std::set<std::string> all_hosts(const Inventory& inventory);

/// The kind with the most nodes; the first of equals. Fails where the inventory has no nodes, and with the
/// place of a wrong hostlist.
Result<NodeKind> largest_kind(const Inventory& inventory);

/// The kinds that some of the inventory's hosts are of, each with those hosts, in the order of the inventory.
/// Fails for a host that it does not have.
Result<std::vector<NodeKind>> kinds_of(const Inventory& inventory, const std::vector<std::string>& hosts);

/// Those hosts as one kind, for a run that holds them all: memory, NICs and clocks may differ, and the least
/// of each counts. Fails where their processors or GPUs do: one rank more or less on a node is another run.
Result<NodeKind> common_kind(const Inventory& inventory, const std::vector<std::string>& hosts);

}  // namespace shakedown
