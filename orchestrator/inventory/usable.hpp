#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/topology.hpp"

namespace shakedown {

/// The part of the machine that the control groups of this process, and of all their parents, allow. Versions
/// 1, 2 and both at once. Source: Linux kernel, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/.
struct CgroupView {
  std::optional<std::int64_t> memory_limit_bytes;  ///< the smallest on the way up
  std::optional<std::int64_t>
      memory_remaining_bytes;             ///< under any of them; page cache that can go counts as free
  std::string memory_limit_name;          ///< "memory.max", "memory.limit_in_bytes"
  std::optional<double> cpu_quota_cores;  ///< cores' worth of CPU time
  std::string cpu_quota_name;             ///< "cpu.max", "cpu.cfs_quota_us"
  std::vector<int> cpus;                  ///< cpuset; empty: no restriction readable
  friend bool operator==(const CgroupView&, const CgroupView&) = default;
};

/// Reads `root`/proc/self/{cgroup,mountinfo} and the control files at the mount points below `root`. What is
/// absent or "max" is no limit.
CgroupView read_cgroup(const std::filesystem::path& root);

/// What limits this process, before it is held against the board.
struct Limits {
  std::vector<int> affinity;    ///< hardware threads that it may run on; empty: not readable
  std::vector<int> numa_nodes;  ///< it may have memory of; empty: not readable
  CgroupView cgroup;
  std::int64_t free_bytes = 0;  ///< MemAvailable; 0: not readable
};

/// This process's CPU affinity, however many processors there are.
std::vector<int> cpu_affinity();

/// A value of `root`/proc/meminfo ("MemTotal", "MemAvailable") in bytes; 0: not readable.
std::int64_t meminfo_bytes(const std::filesystem::path& root, std::string_view field);

/// The limits below `root`, with `affinity`.
Limits read_limits(const std::filesystem::path& root, std::vector<int> affinity);

/// The board cut down to the limits, each cut named in `limited_by`. Pure.
Usable usable_part(const Topology& board, const Limits& limits);

}  // namespace shakedown
