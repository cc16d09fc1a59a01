#pragma once
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// What the nodes don't have in common, each as a sentence that names the few and what the many have:
/// "cn017: 7 GPUs where 99 nodes have 8". Empty for equal nodes.
///
/// A group that differs in more than a handful of things, such as login nodes, gets the first of them and how
/// many more there are.
std::vector<std::string> heterogeneity(const Inventory& inventory);

}  // namespace shakedown
