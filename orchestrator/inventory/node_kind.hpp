#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Nodes that one case can be planned on: processors, memory, GPUs and NICs are the same. Firmware, drivers,
/// kernels, boards and mounts may differ: such nodes are told apart by `heterogeneity`, not left out.
struct NodeKind {
  NodeGroup like;                  ///< the first of its groups, with the smallest memory of them all
  std::vector<std::string> hosts;  ///< of all its groups, in the order of the inventory
  int groups = 1;
};

/// The kind with the most nodes; the first of equals. Fails where the inventory has no nodes, and with the
/// place of a wrong hostlist.
Result<NodeKind> largest_kind(const Inventory& inventory);

}  // namespace shakedown
