#include "orchestrator/inventory/topology.hpp"

#include <hwloc.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

namespace shakedown {
namespace {

using Handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

/// Whether hwloc may ask each CPU what it is: it moves there, and waits for as long as a program has it.
enum class AskCpus { no, yes };

Result<Handle> loaded(const std::string& synthetic, AskCpus ask) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return fail_environment("hwloc", "the topology can't be set up");
  Handle handle(raw, &hwloc_topology_destroy);
  if (!synthetic.empty() && hwloc_topology_set_synthetic(raw, synthetic.c_str()) != 0)
    return fail("hwloc", "'" + synthetic + "' describes no machine");
  if (ask == AskCpus::no) hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  // Without this flag hwloc hides what the cpuset forbids, and the board would look as small as the job.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(raw) != 0) return fail_environment("hwloc", std::strerror(errno));
  return handle;
}

int count(hwloc_topology_t topology, hwloc_obj_type_t type) {
  return std::max(0, hwloc_get_nbobjs_by_type(topology, type));
}

std::vector<Cache> caches(hwloc_topology_t topology) {
  constexpr std::array types = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE};
  std::vector<Cache> found;
  for (size_t i = 0; i < types.size(); ++i) {
    const int instances = count(topology, types[i]);
    if (instances == 0) continue;
    const hwloc_obj_t first = hwloc_get_obj_by_type(topology, types[i], 0);
    const auto bytes = static_cast<std::int64_t>(first->attr->cache.size);
    if (bytes > 0) found.push_back({static_cast<int>(i) + 1, bytes, instances});
  }
  return found;
}

std::vector<int> threads_below(hwloc_obj_t object) {
  std::vector<int> threads;
  for (int i = hwloc_bitmap_first(object->cpuset); i >= 0; i = hwloc_bitmap_next(object->cpuset, i))
    threads.push_back(i);
  return threads;
}

}  // namespace

Result<Topology> read_topology(const std::string& synthetic) {
  auto handle = loaded(synthetic, AskCpus::no);
  // The kernel knows all that is read here, except in some virtual machines.
  if (handle && (count(handle->get(), HWLOC_OBJ_CORE) == 0 || caches(handle->get()).empty()))
    handle = loaded(synthetic, AskCpus::yes);
  if (!handle) return failure_of(handle);
  hwloc_topology_t const raw = handle->get();
  Topology topology;
  topology.sockets = std::max(1, count(raw, HWLOC_OBJ_PACKAGE));
  topology.numa_nodes = std::max(1, count(raw, HWLOC_OBJ_NUMANODE));
  // If the kernel reports no cores, each hardware thread counts as one.
  const hwloc_obj_type_t core = count(raw, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(raw, core, object)) != nullptr;) {
    topology.threads_of_core.push_back(threads_below(object));
    topology.threads_per_core =
        std::max(topology.threads_per_core, static_cast<int>(topology.threads_of_core.back().size()));
  }
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(raw, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
    auto& memory = topology.memory_of_numa_node;
    memory.resize(std::max<size_t>(memory.size(), node->os_index + size_t{1}), 0);
    memory[node->os_index] = static_cast<std::int64_t>(node->attr->numanode.local_memory);
    topology.memory_bytes += memory[node->os_index];
  }
  topology.caches = caches(raw);
  topology.this_machine = hwloc_topology_is_thissystem(raw) != 0;
  return topology;
}

Topology with_total_memory(Topology board, std::int64_t total_bytes) {
  if (board.memory_bytes >= total_bytes) return board;
  board.memory_bytes = total_bytes;
  board.memory_of_numa_node.clear();
  return board;
}

namespace {

namespace fs = std::filesystem;

/// The host bridge, the bridges below it and the device: the pieces of
/// "pci0000:15/0000:15:01.0/0000:16:00.0". Empty where the kernel has no such device.
std::vector<std::string> way_to(const fs::path& root, const std::string& address) {
  if (address.empty()) return {};
  std::error_code code;
  const fs::path device = fs::canonical(root / "sys/bus/pci/devices" / address, code);
  if (code) return {};
  std::vector<std::string> way;
  bool below_host = false;
  for (const fs::path& piece : device) {
    if (below_host) way.push_back(piece.string());
    if (piece.string().starts_with("pci") && piece.string().find(':') != std::string::npos) {
      below_host = true;
      way = {piece.string()};
    }
  }
  return way;
}

/// How many bridges below the host bridge two devices have in common.
size_t shared_bridges(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto shared = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  return static_cast<size_t>(std::max<std::ptrdiff_t>(shared - 1, 0));
}

}  // namespace

std::vector<Nic> with_gpu_affinity(std::vector<Nic> nics, std::span<const Gpu> gpus, const fs::path& root) {
  std::vector<std::vector<std::string>> ways;
  ways.reserve(gpus.size());
  for (const Gpu& gpu : gpus) ways.push_back(way_to(root, gpu.pci_address));
  // NICs by the GPUs that are closest to them.
  std::map<std::vector<int>, std::vector<Nic*>> served;
  for (Nic& nic : nics) {
    const auto way = way_to(root, nic.pci_address);
    if (nic.rdma_device.empty() || way.empty()) continue;
    size_t best = 0;
    std::vector<int> closest;
    for (size_t g = 0; g < ways.size(); ++g) {
      const size_t shared = shared_bridges(way, ways[g]);
      if (shared > best) closest.clear();
      best = std::max(best, shared);
      if (shared == best && best > 0) closest.push_back(static_cast<int>(g));
    }
    if (!closest.empty()) served[closest].push_back(&nic);
  }
  for (auto& [closest, its_nics] : served) {
    std::sort(its_nics.begin(), its_nics.end(),
              [](const Nic* a, const Nic* b) { return a->pci_address < b->pci_address; });
    const bool paired = closest.size() == its_nics.size();
    for (size_t i = 0; i < its_nics.size(); ++i)
      if (closest.size() == 1 || paired) its_nics[i]->gpu = closest[closest.size() == 1 ? 0 : i];
  }
  return nics;
}

}  // namespace shakedown
