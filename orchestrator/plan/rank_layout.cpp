#include "orchestrator/plan/rank_layout.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

struct Division {
  int ranks = 0;
  std::string_view noun;
};

Result<Division> division_of(std::string_view rank_per, const NodeGroup& node, int cores) {
  if (rank_per == "core") return Division{cores, "usable core"};
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

bool knows_numa(const NodeGroup& node) {
  return !node.gpus.empty() &&
         std::ranges::all_of(node.gpus, [](const Gpu& gpu) { return gpu.numa_node >= 0; });
}

/// Cores by their numbers.
struct Cores {
  int first = 0;
  int count = 0;
};

/// The cores of each GPU's NUMA node, shared evenly among the GPUs there; empty: the inventory does not tell.
/// Linux numbers the physical cores first, NUMA node by NUMA node.
std::vector<Cores> cores_beside_gpus(const NodeGroup& node) {
  std::vector<Cores> list;
  const int numa = std::max(node.cpu.numa_nodes, 1);
  if (!knows_numa(node) || node.cpu.cores % numa != 0) return list;
  const int cores = node.cpu.cores / numa;
  for (size_t i = 0; i < node.gpus.size(); ++i) {
    const int home = node.gpus[i].numa_node;
    if (home >= numa) return {};
    const auto same = [&](const Gpu& gpu) { return gpu.numa_node == home; };
    const auto sharing = static_cast<int>(std::ranges::count_if(node.gpus, same));
    const auto before = static_cast<int>(
        std::count_if(node.gpus.begin(), node.gpus.begin() + static_cast<std::ptrdiff_t>(i), same));
    const int each = cores / sharing;
    if (each < 1) return {};
    list.push_back({home * cores + before * each, each});
  }
  return list;
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
  std::string because =
      fmt::format("{} usable cores / {} ranks of a node, rounded down", cores, division->ranks);
  const std::vector<Cores> beside = rank_per == "gpu" ? cores_beside_gpus(node) : std::vector<Cores>();
  if (const auto fewest = std::ranges::min_element(beside, {}, &Cores::count);
      fewest != beside.end() && fewest->count < layout.threads_per_rank) {
    layout.threads_per_rank = fewest->count;
    because = fmt::format("the cores of its NUMA node for each GPU, at least; fewer than {}", because);
  }
  layout.why.push_back({"threads_per_rank", std::int64_t{layout.threads_per_rank}, std::move(because),
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

namespace {

std::vector<std::string> gpu_indices(const NodeGroup& node) {
  std::vector<std::string> list;
  list.reserve(node.gpus.size());
  for (size_t i = 0; i < node.gpus.size(); ++i) list.push_back(fmt::format("{}", i));
  return list;
}

std::vector<std::string> numa_nodes(const NodeGroup& node) {
  std::vector<std::string> list;
  if (!knows_numa(node)) return list;
  for (const Gpu& gpu : node.gpus) list.push_back(fmt::format("{}", gpu.numa_node));
  return list;
}

std::vector<std::string> core_ranges(const NodeGroup& node) {
  std::vector<std::string> list;
  for (const Cores& each : cores_beside_gpus(node))
    list.push_back(fmt::format("{}-{}", each.first, each.first + each.count - 1));
  return list;
}

void add(std::vector<std::string>& words, const std::string& option, const std::vector<std::string>& list) {
  if (option.empty() || list.empty()) return;
  words.push_back(option);
  words.push_back(joined(list, ":"));
}

}  // namespace

std::vector<std::string> gpu_nics(const NodeGroup& node) {
  std::vector<std::string> list(node.gpus.size());
  for (const Nic& nic : node.nics)
    if (nic.gpu && *nic.gpu >= 0 && static_cast<size_t>(*nic.gpu) < list.size() && !nic.rdma_device.empty())
      list[static_cast<size_t>(*nic.gpu)] = nic.rdma_device;
  const bool whole = std::ranges::none_of(list, [](const std::string& name) { return name.empty(); });
  return whole ? list : std::vector<std::string>();
}

double nic_gb_s_per_rank(const NodeGroup& node, int ranks_per_node) {
  double gbit_s = 0;
  for (const Nic& nic : node.nics)
    if (nic.role.empty() || nic.role == "compute") gbit_s += nic.speed_gb_s;
  return gbit_s / 8 / std::max(1, ranks_per_node);
}

bool ranks_lie_beside_gpus(const NodeGroup& node) {
  if (usable_cores(node) != node.cpu.cores) return false;
  const auto beside = cores_beside_gpus(node);
  const int each = usable_cores(node) / std::max(1, static_cast<int>(node.gpus.size()));
  for (size_t i = 0; i < beside.size(); ++i)
    if (beside[i].first != static_cast<int>(i) * each || beside[i].count != each) return false;
  return !beside.empty();
}

std::string first_contact_nic(const NodeGroup& node) {
  const Nic* found = nullptr;
  for (const Nic& nic : node.nics) {
    // Without a driver it was described rather than seen: its name may be no interface's.
    if (nic.role != "management" || nic.state == "down" || nic.driver.empty()) continue;
    if (found != nullptr) return {};
    found = &nic;
  }
  return found == nullptr ? std::string() : found->name;
}

std::vector<std::string> affinity_arguments(const AffinityOptions& options, const NodeGroup& node) {
  std::vector<std::string> words;
  add(words, options.gpu, gpu_indices(node));
  add(words, options.cpu, core_ranges(node));
  add(words, options.memory, numa_nodes(node));
  add(words, options.nic, gpu_nics(node));
  return words;
}

}  // namespace shakedown
