#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/inventory/features.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// One thing that is not the same on some nodes.
struct Change {
  FeatureKind kind = FeatureKind::cpu;
  std::string hosts;   ///< hostlist; empty: the system as a whole
  std::string what;    ///< "GPUs", "kernel"
  std::string before;  ///< empty: not stated, or not there
  std::string after;
  friend bool operator==(const Change&, const Change&) = default;
};

/// How to hold two inventories against each other.
struct ComparedAs {
  bool only_stated_before = false;  ///< a file's silence is no claim
  double tolerance = 0.01;          ///< of memory, filesystems and clocks
};

/// What differs between two inventories node by node, nodes that only one of them has, pods, fabric and
/// storage. Free space and free memory are ignored. Nodes with the same difference share a line.
std::vector<Change> differences(const Inventory& before, const Inventory& after, ComparedAs how = {});

/// What the nodes don't have in common, each as a sentence that names the few and what the many have:
/// "cn017: 7 GPUs where 99 nodes have 8". Empty for equal nodes.
///
/// A group that differs in more than a handful of things, such as login nodes, gets the first of them and how
/// many more there are.
std::vector<std::string> heterogeneity(const Inventory& inventory);

}  // namespace shakedown
