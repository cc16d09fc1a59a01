#pragma once
#include <set>
#include <span>
#include <string>
#include <string_view>
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

/// The FP64 peak of all nodes of a kind in TFLOP/s: of their GPUs, or of their processors where they have
/// none; of a GPU whose inventory does not state it, the catalogue's. 0: not known.
double peak_tflops(const NodeKind& kind);

/// The kind with the highest FP64 peak, or with the most nodes where the peak of one is not known; the first
/// of equals. Fails where the inventory has no nodes, and with the
/// place of a wrong hostlist.
Result<NodeKind> largest_kind(const Inventory& inventory);

/// What makes the largest of several kinds the largest: "of the highest FP64 peak", "the most".
std::string_view largest_because(std::span<const NodeKind> kinds);

/// The kinds that some of the inventory's hosts are of, each with those hosts, in the order of the inventory.
/// Fails for a host that it does not have.
Result<std::vector<NodeKind>> kinds_of(const Inventory& inventory, const std::vector<std::string>& hosts);

/// Those hosts as one kind, for a run that holds them all: memory, NICs and clocks may differ, and the least
/// of each counts. Fails where their processors or GPUs do: one rank more or less on a node is another run.
Result<NodeKind> common_kind(const Inventory& inventory, const std::vector<std::string>& hosts);

}  // namespace shakedown
