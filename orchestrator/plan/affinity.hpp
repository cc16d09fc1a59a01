#pragma once
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/implementation.hpp"

namespace shakedown {

/// The RDMA devices that serve a node's GPUs, in the order of the GPUs; empty where the inventory does not
/// assign one to each of them.
std::vector<std::string> gpu_nics(const NodeGroup& node);

/// The affinity options with their lists for one rank per GPU, from the inventory's own map of GPUs, NICs and
/// NUMA nodes: index equality is never assumed. An option whose list the inventory does not give is left out.
std::vector<std::string> affinity_arguments(const AffinityOptions& options, const NodeGroup& node);

}  // namespace shakedown
