#include "orchestrator/inventory/usable.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

constexpr std::int64_t usable_gib = std::int64_t{1} << 30;

/// Two sockets of four cores with two hardware threads each; 12 GiB on either NUMA node.
Topology board() {
  Topology topology;
  topology.sockets = topology.numa_nodes = topology.threads_per_core = 2;
  for (int core = 0; core < 8; ++core) topology.threads_of_core.push_back({core, core + 8});
  topology.memory_of_numa_node = {12 * usable_gib, 12 * usable_gib};
  topology.memory_bytes = 24 * usable_gib;
  return topology;
}

std::vector<int> threads(int first, int last) {
  std::vector<int> list;
  for (int i = first; i <= last; ++i) list.push_back(i);
  return list;
}

using Reasons = std::vector<std::string>;

}  // namespace

TEST_CASE("without limits the whole board is usable") {
  const Usable usable = usable_part(board(), {threads(0, 15), {0, 1}, {}, 20 * usable_gib});
  Usable whole;
  whole.cores = 8;
  whole.hardware_threads = 16;
  whole.memory_bytes = 24 * usable_gib;
  whole.available_bytes = 20 * usable_gib;
  CHECK(usable == whole);
}

TEST_CASE("an affinity mask leaves the cores of which it has a hardware thread") {
  const Usable usable = usable_part(board(), {{0, 1, 8}, {}, {}, 0});
  CHECK(usable.cores == 2);
  CHECK(usable.hardware_threads == 3);
  CHECK(usable.limited_by == Reasons{"CPU affinity 0-1,8: 2 of 8 cores, 3 of 16 hardware threads"});
}

TEST_CASE("a mask that is the cpuset's is the cgroup's doing") {
  CgroupView cgroup;
  cgroup.cpus = threads(0, 3);
  CHECK(usable_part(board(), {threads(0, 3), {}, cgroup, 0}).limited_by ==
        Reasons{"cgroup cpuset 0-3: 4 of 8 cores, 4 of 16 hardware threads"});
}

TEST_CASE("a CPU quota counts where it is below the hardware threads") {
  CgroupView cgroup;
  cgroup.cpu_quota_cores = 2.5;
  cgroup.cpu_quota_name = "cpu.max";
  const Usable usable = usable_part(board(), {threads(0, 15), {}, cgroup, 0});
  CHECK(usable.cpu_quota == 2.5);
  CHECK(usable.limited_by == Reasons{"cgroup cpu.max: CPU time of 2.5 of 16 hardware threads"});
  cgroup.cpu_quota_cores = 16;
  CHECK(usable_part(board(), {threads(0, 15), {}, cgroup, 0}).cpu_quota == 0);
}

TEST_CASE("a memory limit cuts the board, and what is used under it cuts what is free") {
  CgroupView cgroup;
  cgroup.memory_limit_bytes = 8 * usable_gib;
  cgroup.memory_limit_name = "memory.max";
  cgroup.memory_remaining_bytes = 5 * usable_gib;
  const Usable usable = usable_part(board(), {threads(0, 15), {}, cgroup, 20 * usable_gib});
  CHECK(usable.memory_bytes == 8 * usable_gib);
  CHECK(usable.available_bytes == 5 * usable_gib);
  CHECK(usable.limited_by == Reasons{"cgroup memory.max 8 GiB of 24 GiB on the board"});
  CHECK(usable_part(board(), {threads(0, 15), {}, cgroup, 2 * usable_gib}).available_bytes == 2 * usable_gib);
  CHECK(usable_part(board(), {threads(0, 15), {}, cgroup, 0}).available_bytes == 0);
}

TEST_CASE("a limit above the board's memory limits nothing") {
  CgroupView cgroup;
  cgroup.memory_limit_bytes = 64 * usable_gib;
  CHECK(usable_part(board(), {threads(0, 15), {}, cgroup, 0}).memory_bytes == 24 * usable_gib);
}

TEST_CASE("memory of some NUMA nodes alone is a limit") {
  const Usable usable = usable_part(board(), {threads(0, 15), {1}, {}, 20 * usable_gib});
  CHECK(usable.memory_bytes == 12 * usable_gib);
  CHECK(usable.available_bytes == 12 * usable_gib);
  CHECK(usable.limited_by == Reasons{"memory of NUMA nodes 1 only: 12 GiB of 24 GiB on the board"});
}

TEST_CASE("the kernel's total stands where its NUMA nodes add up to less") {
  CHECK(with_total_memory(board(), 20 * usable_gib).memory_bytes == 24 * usable_gib);
  const Topology more = with_total_memory(board(), 48 * usable_gib);
  CHECK(more.memory_bytes == 48 * usable_gib);
  CHECK(usable_part(more, {threads(0, 15), {1}, {}, 0}).memory_bytes == 48 * usable_gib);
}

TEST_CASE("limits are read from /proc") {
  MadeUpMachine machine;
  machine.file("proc/meminfo", "MemTotal:       24684096 kB\nMemAvailable:   22618060 kB\n");
  machine.file("proc/self/status", "Name:\tx\nMems_allowed_list:\t0-1\n");
  const Limits limits = read_limits(machine.root(), {0});
  CHECK(limits.free_bytes == 22618060LL * 1024);
  CHECK(limits.numa_nodes == std::vector{0, 1});
  CHECK(limits.affinity == std::vector{0});
  CHECK(meminfo_bytes(machine.root(), "MemTotal") == 24684096LL * 1024);
  CHECK(meminfo_bytes(machine.root(), "NoSuch") == 0);
}

TEST_CASE("the peak is that of the usable cores, or of the CPU quota where that is less") {
  NodeGroup node;
  node.cpu.base_mhz = 2500;
  node.cpu.fp64_flop_per_cycle = 16;
  node.usable.cores = 4;
  CHECK(cpu_peak_gflops(node) == Approx(160));
  node.usable.cpu_quota = 1.5;
  CHECK(cpu_peak_gflops(node) == Approx(60));
  node.usable.cpu_quota = 6;  // of eight hardware threads on four cores
  CHECK(cpu_peak_gflops(node) == Approx(160));
  node.cpu.base_mhz = 0;
  CHECK(cpu_peak_gflops(node) == 0);
}
