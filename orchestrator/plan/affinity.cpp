#include "orchestrator/plan/affinity.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

std::vector<std::string> gpu_indices(const NodeGroup& node) {
  std::vector<std::string> list;
  for (size_t i = 0; i < node.gpus.size(); ++i) list.push_back(fmt::format("{}", i));
  return list;
}

bool knows_numa(const NodeGroup& node) {
  return !node.gpus.empty() &&
         std::ranges::all_of(node.gpus, [](const Gpu& gpu) { return gpu.numa_node >= 0; });
}

std::vector<std::string> numa_nodes(const NodeGroup& node) {
  std::vector<std::string> list;
  if (!knows_numa(node)) return list;
  for (const Gpu& gpu : node.gpus) list.push_back(fmt::format("{}", gpu.numa_node));
  return list;
}

/// The cores of each GPU's NUMA node, shared evenly among the GPUs there. Linux numbers the physical cores
/// first, NUMA node by NUMA node.
std::vector<std::string> core_ranges(const NodeGroup& node) {
  std::vector<std::string> list;
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
    const int first = home * cores + before * each;
    list.push_back(fmt::format("{}-{}", first, first + each - 1));
  }
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

std::vector<std::string> affinity_arguments(const AffinityOptions& options, const NodeGroup& node) {
  std::vector<std::string> words;
  add(words, options.gpu, gpu_indices(node));
  add(words, options.cpu, core_ranges(node));
  add(words, options.memory, numa_nodes(node));
  add(words, options.nic, gpu_nics(node));
  return words;
}

}  // namespace shakedown
