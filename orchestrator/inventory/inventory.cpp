#include "orchestrator/inventory/inventory.hpp"

#include <algorithm>

#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {

int Inventory::nodes() const {
  int count = 0;
  for (const NodeGroup& group : groups)
    if (const auto hosts = expanded_hostlist(group.hosts)) count += static_cast<int>(hosts->size());
  return count;
}

double cpu_peak_gflops(const NodeGroup& node) {
  const double quota = node.usable.cpu_quota;
  const double cores = quota > 0 ? std::min<double>(node.usable.cores, quota) : node.usable.cores;
  return cores * node.cpu.fp64_flop_per_cycle * node.cpu.base_mhz / 1000;
}

std::int64_t last_level_cache_bytes(const NodeGroup& node) {
  const auto last = std::ranges::max_element(node.cpu.caches, {}, &Cache::level);
  if (last == node.cpu.caches.end()) return 0;
  return last->bytes * std::max(1, std::min(last->instances, node.usable.cores));
}

}  // namespace shakedown
