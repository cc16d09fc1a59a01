#pragma once
#include "tests/suites/inventories.hpp"

namespace shakedown::tests {

/// "cn[00001-20000]".
inline std::string hosts_to(int nodes) {
  return nodes == 1 ? "cn00001" : fmt::format("cn[00001-{:05}]", nodes);
}

/// H100 nodes as SAKURAONE's tables describe them: GPUs, NICs and NUMA nodes are stated, and NIC n is not GPU
/// n.
inline NodeGroup sakuraone_nodes(int nodes) {
  NodeGroup node = h100_nodes(hosts_to(nodes));
  const char* const nics[] = {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_4",
                              "mlx5_5", "mlx5_6", "mlx5_7", "mlx5_11"};
  for (int gpu = 0; gpu < 8; ++gpu) {
    node.gpus[static_cast<size_t>(gpu)].numa_node = gpu / 4;
    node.gpus[static_cast<size_t>(gpu)].peak.memory_bandwidth_gb_s = 3352;
    Nic nic;
    nic.name = nic.rdma_device = nics[gpu];
    nic.speed_gb_s = 400;
    nic.role = "compute";
    nic.gpu = gpu;
    node.nics.push_back(nic);
  }
  return node;
}

/// Nodes with eight MI300X.
inline NodeGroup mi300x_nodes(int nodes) {
  NodeGroup node = h100_nodes(hosts_to(nodes));
  for (Gpu& gpu : node.gpus) {
    gpu.model = "AMD Instinct MI300X";
    gpu.memory_bytes = static_cast<std::int64_t>(191.98 * gibi);
    gpu.peak.memory_bandwidth_gb_s = 5300;
  }
  return node;
}

/// CPU nodes: two sockets of 96 cores, 768 GiB.
inline NodeGroup cpu_nodes(int nodes) {
  NodeGroup node = h100_nodes(hosts_to(nodes));
  node.gpus.clear();
  node.cpu.cores = node.usable.cores = 192;
  node.memory_bytes = node.usable.memory_bytes = static_cast<std::int64_t>(768 * gibi);
  return node;
}

}  // namespace shakedown::tests
