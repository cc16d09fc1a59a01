#pragma once
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// A node with `gpus` H100 and two NICs.
inline NodeGroup gpu_node(const std::string& hosts, int gpus = 8) {
  NodeGroup node;
  node.hosts = hosts;
  node.cpu.model = "Xeon";
  node.cpu.sockets = 2;
  node.cpu.cores = 120;
  node.cpu.base_mhz = 2000;
  node.memory_bytes = static_cast<std::int64_t>(1500 * gibi);
  node.usable = {120, 120, 0, node.memory_bytes, 0, {}};
  Gpu gpu;
  gpu.model = "H100";
  gpu.memory_bytes = static_cast<std::int64_t>(79.11 * gibi);
  node.gpus.assign(static_cast<size_t>(gpus), gpu);
  for (const char* name : {"mlx5_0", "mlx5_1"}) {
    Nic& nic = node.nics.emplace_back();
    nic.name = name;
    nic.state = "up";
    nic.speed_gb_s = 400;
    nic.firmware = "28.39";
  }
  Mount& mount = node.mounts.emplace_back();
  mount = {"/scratch", "lustre", "mds:/scratch", 2'000'000'000'000'000, 1'000'000'000, true};
  node.software.kernel = "5.14.0-1";
  node.software.gpu_driver = "550.90";
  return node;
}

inline Inventory inventory_of(std::vector<NodeGroup> groups) {
  Inventory inventory;
  inventory.system = "t";
  inventory.groups = std::move(groups);
  return inventory;
}

}  // namespace shakedown
