#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// What is on the board, whatever this process may use of it.
struct Topology {
  int sockets = 1;
  int numa_nodes = 1;
  int threads_per_core = 1;                       ///< of the core with most
  std::vector<std::vector<int>> threads_of_core;  ///< hardware threads as the kernel numbers them, by core
  std::vector<std::int64_t> memory_of_numa_node;  ///< bytes; index is the kernel's number of the node
  std::int64_t memory_bytes = 0;
  std::vector<Cache> caches;  ///< data and unified, by level
  bool this_machine = true;   ///< false: hwloc was set to show another (HWLOC_XMLFILE, ...)
};

/// This machine by hwloc, or the one that `synthetic` describes in hwloc's notation
/// ("pack:2 core:4 pu:2"). Fails (environment) where hwloc does.
Result<Topology> read_topology(const std::string& synthetic = {});

/// The board with at least `total_bytes` of memory (MemTotal). The kernel's values of each NUMA node, which
/// hwloc adds up, can omit memory that was plugged in after boot, as hypervisors do; the memory of each of
/// several nodes is then unknown.
Topology with_total_memory(Topology board, std::int64_t total_bytes);

/// The NICs, each RDMA device with the GPU that it is closest to: behind the same PCIe switch, the deepest
/// one (PIX or PXB in `nvidia-smi topo`). Where a switch has as many NICs as GPUs they are paired in the
/// order of their addresses; a NIC that could serve several GPUs, or none without crossing the host bridge,
/// gets none.
///
/// Source: the kernel's device paths below `root`/sys/bus/pci/devices.
std::vector<Nic> with_gpu_affinity(std::vector<Nic> nics, std::span<const Gpu> gpus,
                                   const std::filesystem::path& root);

}  // namespace shakedown
