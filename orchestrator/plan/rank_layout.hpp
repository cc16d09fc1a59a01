#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// How the ranks of a case lie on its nodes.
struct RankLayout {
  int nodes = 1;
  int ranks_per_node = 1;
  int threads_per_rank = 1;
  std::string binding = "core";  ///< "core", "none"
  std::vector<Reason> why;
  std::vector<std::string> warnings;
  [[nodiscard]] int ranks() const { return nodes * ranks_per_node; }
};

/// Physical cores of a node that a job may use: those of the affinity mask, cut by the cgroup's CPU quota;
/// at least 1.
int usable_cores(const NodeGroup& node);

/// One rank per `rank_per` ("core", "numa", "socket", "node", "gpu") of each node; the usable cores are
/// shared evenly among a node's ranks as their threads; a rank of a GPU has no more than the cores beside
/// that one, where the inventory tells.
///
/// Ranks are bound to their cores, but not where a CPU quota is smaller than the affinity mask (the scheduler
/// must be free to move them) and not for GPU ranks, whose program or container places itself.
///
/// Fails for "gpu" on nodes without GPUs, and on an unknown word.
Result<RankLayout> rank_layout(std::string_view rank_per, const NodeGroup& node, int nodes);

/// The RDMA devices that serve a node's GPUs, in the order of the GPUs; empty where the inventory does not
/// assign one to each of them.
std::vector<std::string> gpu_nics(const NodeGroup& node);

/// Whether a node's ranks of its GPUs, each bound to the next of equal parts of its cores, have those beside
/// their GPUs; false where the inventory does not tell, and where a job has not all cores: which it has is
/// not known, and under a CPU quota the scheduler must be free to move the ranks.
bool ranks_lie_beside_gpus(const NodeGroup& node);

/// What a rank has of its node's NICs for computation, GB/s; 0: the inventory states no speed.
double nic_gb_s_per_rank(const NodeGroup& node, int ranks_per_node);

/// The interface over which ranks find each other: the only one of the node's management network that was
/// seen on a node; empty: none or several.
std::string first_contact_nic(const NodeGroup& node);

/// The affinity options with their lists for one rank per GPU, from the inventory's own map of GPUs, NICs and
/// NUMA nodes: index equality is never assumed. An option whose list the inventory does not give is omitted.
std::vector<std::string> affinity_arguments(const AffinityOptions& options, const NodeGroup& node);

}  // namespace shakedown
