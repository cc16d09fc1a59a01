#include "orchestrator/inventory/usable.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

void cut_cores(Usable& usable, const Topology& board, const Limits& limits) {
  std::set<int> allowed(limits.affinity.begin(), limits.affinity.end());
  usable.cores = 0;
  usable.hardware_threads = 0;
  int threads_on_board = 0;
  for (const std::vector<int>& core : board.threads_of_core) {
    const auto mine = static_cast<int>(std::count_if(
        core.begin(), core.end(), [&](int thread) { return allowed.empty() || allowed.contains(thread); }));
    threads_on_board += static_cast<int>(core.size());
    usable.hardware_threads += mine;
    usable.cores += mine > 0 ? 1 : 0;
  }
  const int cores_on_board = static_cast<int>(board.threads_of_core.size());
  if (usable.hardware_threads < threads_on_board) {
    const std::string which = number_list_text(limits.affinity);
    // An affinity that is the cpuset's was cut by the cgroup; a smaller one by whoever started us.
    const std::string cause = limits.cgroup.cpus == limits.affinity ? "cgroup cpuset" : "CPU affinity";
    usable.limited_by.push_back(fmt::format("{} {}: {} of {} cores, {} of {} hardware threads", cause, which,
                                            usable.cores, cores_on_board, usable.hardware_threads,
                                            threads_on_board));
  }
  usable.cores = std::max(1, usable.cores);
  usable.hardware_threads = std::max(1, usable.hardware_threads);
  if (const auto quota = limits.cgroup.cpu_quota_cores; quota && *quota < usable.hardware_threads) {
    usable.cpu_quota = *quota;
    usable.limited_by.push_back(fmt::format("cgroup {}: CPU time of {} of {} hardware threads",
                                            limits.cgroup.cpu_quota_name, grouped(*quota, 3),
                                            usable.hardware_threads));
  }
}

void cut_memory(Usable& usable, const Topology& board, const Limits& limits) {
  usable.memory_bytes = board.memory_bytes;
  std::int64_t on_nodes = 0;
  for (const int node : limits.numa_nodes)
    if (static_cast<size_t>(node) < board.memory_of_numa_node.size())
      on_nodes += board.memory_of_numa_node[static_cast<size_t>(node)];
  if (on_nodes > 0 && on_nodes < board.memory_bytes) {
    usable.memory_bytes = on_nodes;
    usable.limited_by.push_back(fmt::format("memory of NUMA nodes {} only: {} of {} on the board",
                                            number_list_text(limits.numa_nodes), bytes_text(on_nodes),
                                            bytes_text(board.memory_bytes)));
  }
  const CgroupView& cgroup = limits.cgroup;
  if (cgroup.memory_limit_bytes && *cgroup.memory_limit_bytes < usable.memory_bytes) {
    usable.memory_bytes = *cgroup.memory_limit_bytes;
    usable.limited_by.push_back(fmt::format("cgroup {} {} of {} on the board", cgroup.memory_limit_name,
                                            bytes_text(usable.memory_bytes), bytes_text(board.memory_bytes)));
  }
  usable.available_bytes = std::min(limits.free_bytes, usable.memory_bytes);
  if (cgroup.memory_remaining_bytes && limits.free_bytes > 0)
    usable.available_bytes = std::min(usable.available_bytes, *cgroup.memory_remaining_bytes);
}

}  // namespace

std::vector<int> cpu_affinity() {
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  // The kernel refuses a set smaller than its own; no kernel is built for more processors than this.
  constexpr int most = 1 << 16;
  for (int size = 1024; size <= most; size *= 2) {
    const std::unique_ptr<cpu_set_t, Free> set(CPU_ALLOC(size));
    const size_t bytes_of_set = CPU_ALLOC_SIZE(size);
    if (!set) break;
    CPU_ZERO_S(bytes_of_set, set.get());
    if (sched_getaffinity(0, bytes_of_set, set.get()) != 0) {
      if (errno == EINVAL) continue;
      break;
    }
    std::vector<int> threads;
    for (int i = 0; i < size; ++i)
      if (CPU_ISSET_S(i, bytes_of_set, set.get())) threads.push_back(i);
    return threads;
  }
  return {};
}

std::int64_t meminfo_bytes(const std::filesystem::path& root, std::string_view field) {
  const std::string kibibytes =
      field_of(system_file(root / "proc/meminfo").value_or(""), field).value_or("0 kB");
  const auto value = parsed_integer(split(kibibytes, ' ').front());
  return value ? *value * 1024 : 0;
}

Limits read_limits(const std::filesystem::path& root, std::vector<int> affinity) {
  Limits limits;
  limits.affinity = std::move(affinity);
  limits.cgroup = read_cgroup(root);
  if (const auto status = system_file(root / "proc/self/status"))
    limits.numa_nodes = number_list(field_of(*status, "Mems_allowed_list").value_or(""));
  limits.free_bytes = meminfo_bytes(root, "MemAvailable");
  return limits;
}

Usable usable_part(const Topology& board, const Limits& limits) {
  Usable usable;
  cut_cores(usable, board, limits);
  cut_memory(usable, board, limits);
  return usable;
}

}  // namespace shakedown
