#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "orchestrator/inventory/cgroup.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/topology.hpp"

namespace shakedown {

/// What limits this process, before it is held against the board.
struct Limits {
  std::vector<int> affinity;    ///< hardware threads that it may run on; empty: not readable
  std::vector<int> numa_nodes;  ///< it may have memory of; empty: not readable
  CgroupView cgroup;
  std::int64_t free_bytes = 0;  ///< MemAvailable; 0: not readable
};

/// This process's CPU affinity, however many processors there are.
std::vector<int> cpu_affinity();

/// A figure of `root`/proc/meminfo ("MemTotal", "MemAvailable") in bytes; 0: not readable.
std::int64_t meminfo_bytes(const std::filesystem::path& root, std::string_view field);

/// The limits below `root`, with `affinity`.
Limits read_limits(const std::filesystem::path& root, std::vector<int> affinity);

/// The board cut down to the limits, each cut named in `limited_by`. Pure.
Usable usable_part(const Topology& board, const Limits& limits);

}  // namespace shakedown
