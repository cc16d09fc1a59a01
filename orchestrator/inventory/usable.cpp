#include "orchestrator/inventory/usable.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/mounts.hpp"
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

namespace {

namespace fs = std::filesystem;

/// Version 1 writes "no limit" as a number near 2^63 rounded down to a page.
constexpr std::int64_t no_limit = std::int64_t{1} << 62;

/// The control group's folders from the process's own to the mount point, innermost first.
std::vector<fs::path> levels(const fs::path& root, const MountEntry& mount, std::string_view group) {
  const fs::path top = below(root, mount.path);
  // In a container the mount shows a subtree: its root is a prefix of the group's path, or the path is
  // outside of what is mounted ("/../..") and only the mount point itself can be read.
  std::string_view rest = group;
  if (mount.root != "/") {
    if (rest == mount.root || rest.starts_with(mount.root + "/"))
      rest.remove_prefix(mount.root.size());
    else
      rest = {};
  }
  std::vector<fs::path> folders = {top};
  if (rest.find("..") != std::string_view::npos) return folders;
  fs::path folder = top;
  for (const std::string_view name : split(rest, '/')) {
    if (name.empty()) continue;
    folder /= name;
    std::error_code error;
    if (!fs::is_directory(folder, error)) break;
    folders.push_back(folder);
  }
  std::reverse(folders.begin(), folders.end());
  return folders;
}

/// What the kernel gives back before it refuses memory: unused file cache.
std::int64_t reclaimable(const fs::path& folder, std::string_view key) {
  const auto stat = system_file(folder / "memory.stat");
  if (!stat) return 0;
  for (const std::string_view line : split(*stat, '\n')) {
    const auto fields = words(line);
    if (fields.size() == 2 && fields[0] == key) return parsed_integer(fields[1]).value_or(0);
  }
  return 0;
}

struct MemoryFiles {
  std::string_view limit, usage, cache;
};
constexpr MemoryFiles memory_files[] = {
    {"memory.max", "memory.current", "inactive_file"},
    {"memory.high", "memory.current", "inactive_file"},
    {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
};

void take_memory(CgroupView& view, const fs::path& folder) {
  for (const MemoryFiles& files : memory_files) {
    const auto limit = system_number(folder / files.limit);  // "max" is no number
    if (!limit || *limit < 0 || *limit >= no_limit) continue;
    if (!view.memory_limit_bytes || *limit < *view.memory_limit_bytes) {
      view.memory_limit_bytes = limit;
      view.memory_limit_name = files.limit;
    }
    const auto usage = system_number(folder / files.usage);
    if (!usage) continue;
    const std::int64_t pinned = std::max<std::int64_t>(0, *usage - reclaimable(folder, files.cache));
    const std::int64_t remaining = std::max<std::int64_t>(0, *limit - pinned);
    view.memory_remaining_bytes = std::min(remaining, view.memory_remaining_bytes.value_or(remaining));
  }
}

void take_quota(CgroupView& view, std::int64_t quota_us, std::int64_t period_us, std::string_view name) {
  if (quota_us <= 0 || period_us <= 0) return;
  const double cores = static_cast<double>(quota_us) / static_cast<double>(period_us);
  if (view.cpu_quota_cores && *view.cpu_quota_cores <= cores) return;
  view.cpu_quota_cores = cores;
  view.cpu_quota_name = name;
}

void take_quota(CgroupView& view, const fs::path& folder) {
  if (const auto max = system_file(folder / "cpu.max")) {
    const auto fields = words(*max);
    if (fields.size() == 2)
      take_quota(view, parsed_integer(fields[0]).value_or(0), parsed_integer(fields[1]).value_or(0),
                 "cpu.max");
  }
  const auto quota = system_number(folder / "cpu.cfs_quota_us");
  const auto period = system_number(folder / "cpu.cfs_period_us");
  if (quota && period) take_quota(view, *quota, *period, "cpu.cfs_quota_us");
}

/// The innermost group that has a list knows its parents' limits already.
void take_cpus(CgroupView& view, const fs::path& folder) {
  for (const std::string_view name : {"cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus"}) {
    if (!view.cpus.empty()) return;
    if (const auto list = system_file(folder / name)) view.cpus = number_list(*list);
  }
}

bool holds(const MountEntry& mount, std::string_view controllers) {
  if (controllers.empty()) return mount.type == "cgroup2";
  if (mount.type != "cgroup") return false;
  for (const std::string_view controller : split(controllers, ','))
    if (!has_option(mount.super_options, controller)) return false;
  return true;
}

}  // namespace

CgroupView read_cgroup(const fs::path& root) {
  CgroupView view;
  const auto groups = system_file(root / "proc/self/cgroup");
  const auto mountinfo = system_file(root / "proc/self/mountinfo");
  if (!groups || !mountinfo) return view;
  const auto mounts = mount_entries(*mountinfo);
  for (const std::string_view line : split(*groups, '\n')) {
    // number:controllers:path, where the path may hold colons
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const auto mount = std::find_if(mounts.begin(), mounts.end(),
                                    [&](const MountEntry& entry) { return holds(entry, controllers); });
    if (mount == mounts.end()) continue;
    for (const fs::path& folder : levels(root, *mount, line.substr(second + 1))) {
      take_memory(view, folder);
      take_quota(view, folder);
      take_cpus(view, folder);
    }
  }
  return view;
}

}  // namespace shakedown
