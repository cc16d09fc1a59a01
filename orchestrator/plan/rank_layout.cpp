#include "orchestrator/plan/rank_layout.hpp"

#include <algorithm>
#include <cmath>

namespace shakedown {
namespace {

struct Division {
  int ranks = 0;
  std::string_view noun;
};

Result<Division> division_of(std::string_view rank_per, const NodeGroup& node, int cores) {
  if (rank_per == "core") return Division{cores, "usable physical core"};
  if (rank_per == "numa") return Division{std::clamp(node.cpu.numa_nodes, 1, cores), "NUMA node"};
  if (rank_per == "socket") return Division{std::clamp(node.cpu.sockets, 1, cores), "socket"};
  if (rank_per == "node") return Division{1, "node"};
  if (rank_per != "gpu") return fail("rank_per", fmt::format("'{}' is no division of a node", rank_per));
  if (node.gpus.empty())
    return fail("requirements",
                fmt::format("the nodes '{}' have no GPU and the program runs one rank per GPU", node.name),
                "an implementation for CPUs: reference, hpcc, netlib");
  return Division{static_cast<int>(node.gpus.size()), "GPU"};
}

}  // namespace

int usable_cores(const NodeGroup& node) {
  const int cores = std::max(node.usable.cores, 1);
  if (node.usable.cpu_quota <= 0) return cores;
  return std::clamp(static_cast<int>(std::floor(node.usable.cpu_quota)), 1, cores);
}

Result<RankLayout> rank_layout(std::string_view rank_per, const NodeGroup& node, int nodes) {
  const int cores = usable_cores(node);
  const auto division = division_of(rank_per, node, cores);
  if (!division) return failure_of(division);
  RankLayout layout;
  layout.nodes = nodes;
  layout.ranks_per_node = division->ranks;
  layout.threads_per_rank = std::max(1, cores / division->ranks);
  const bool quota = cores < node.usable.cores;
  if (quota || rank_per == "gpu") layout.binding = "none";
  layout.why.push_back({"ranks", std::int64_t{layout.ranks()},
                        fmt::format("{} node{} x {} rank{} each, one per {}", nodes, nodes == 1 ? "" : "s",
                                    division->ranks, division->ranks == 1 ? "" : "s", division->noun),
                        fmt::format("one rank per {}", division->noun)});
  layout.why.push_back(
      {"threads_per_rank", std::int64_t{layout.threads_per_rank},
       fmt::format("{} usable physical cores / {} ranks of a node, rounded down", cores, division->ranks),
       "a core runs one thread"});
  const int idle = cores - layout.threads_per_rank * division->ranks;
  if (idle > 0 && rank_per != "gpu")
    layout.warnings.push_back(fmt::format("{} of {} cores of each node stay idle: {} ranks share them evenly",
                                          idle, cores, division->ranks));
  if (quota)
    layout.warnings.push_back(
        fmt::format("a CPU quota of {:.2f} cores is below the {} cores of the affinity mask: "
                    "{} used, ranks are not bound",
                    node.usable.cpu_quota, node.usable.cores, cores));
  return layout;
}

}  // namespace shakedown
