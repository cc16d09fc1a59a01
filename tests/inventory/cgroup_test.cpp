#include "orchestrator/inventory/usable.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

constexpr std::int64_t cgroup_gib = std::int64_t{1} << 30;

const std::string v2_mount =
    "31 23 0:28 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const std::string v1_mounts =
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
const std::string v1_groups = "4:memory:/slurm/job_7\n3:cpuset:/slurm/job_7\n1:cpu,cpuacct:/slurm/job_7\n";

std::string bytes(std::int64_t value) {
  return std::to_string(value) + "\n";
}

}  // namespace

TEST_CASE("cgroup v2: the smallest limit on the way up counts, and so does what its group already uses") {
  MadeUpMachine machine;
  machine.file("proc/self/cgroup", "0::/system.slice/job.scope\n").file("proc/self/mountinfo", v2_mount);
  machine.file("sys/fs/cgroup/cgroup.controllers", "cpuset cpu memory\n");
  machine.file("sys/fs/cgroup/system.slice/memory.max", bytes(8 * cgroup_gib))
      .file("sys/fs/cgroup/system.slice/memory.current", bytes(6 * cgroup_gib))
      .file("sys/fs/cgroup/system.slice/memory.stat", "anon 1\nfile 2\ninactive_file " + bytes(cgroup_gib))
      .file("sys/fs/cgroup/system.slice/cpu.max", "max 100000\n")
      .file("sys/fs/cgroup/system.slice/cpuset.cpus.effective", "0-7\n");
  machine.file("sys/fs/cgroup/system.slice/job.scope/memory.max", bytes(16 * cgroup_gib))
      .file("sys/fs/cgroup/system.slice/job.scope/memory.current", bytes(2 * cgroup_gib))
      .file("sys/fs/cgroup/system.slice/job.scope/cpu.max", "250000 100000\n")
      .file("sys/fs/cgroup/system.slice/job.scope/cpuset.cpus.effective", "2-3,6\n");
  const CgroupView view = read_cgroup(machine.root());
  CHECK(view.memory_limit_bytes == 8 * cgroup_gib);
  CHECK(view.memory_limit_name == "memory.max");
  CHECK(view.memory_remaining_bytes == 3 * cgroup_gib);  // 8 - (6 - 1 of file cache)
  CHECK(view.cpu_quota_cores == 2.5);
  CHECK(view.cpu_quota_name == "cpu.max");
  CHECK(view.cpus == std::vector{2, 3, 6});
}

TEST_CASE("cgroup v2: 'max' is no limit") {
  MadeUpMachine machine;
  machine.file("proc/self/cgroup", "0::/a\n").file("proc/self/mountinfo", v2_mount);
  machine.file("sys/fs/cgroup/a/memory.max", "max\n").file("sys/fs/cgroup/a/memory.high", "max\n");
  machine.file("sys/fs/cgroup/a/memory.current", "4096\n").file("sys/fs/cgroup/a/cpu.max", "max 100000\n");
  CHECK(read_cgroup(machine.root()) == CgroupView{});
}

TEST_CASE("cgroup v2: memory.high slows a job down from there on, so it is a limit") {
  MadeUpMachine machine;
  machine.file("proc/self/cgroup", "0::/a\n").file("proc/self/mountinfo", v2_mount);
  machine.file("sys/fs/cgroup/a/memory.max", bytes(8 * cgroup_gib))
      .file("sys/fs/cgroup/a/memory.high", bytes(6 * cgroup_gib));
  const CgroupView view = read_cgroup(machine.root());
  CHECK(view.memory_limit_bytes == 6 * cgroup_gib);
  CHECK(view.memory_limit_name == "memory.high");
  CHECK_FALSE(view.memory_remaining_bytes);
}

TEST_CASE("cgroup v1: limits of the job and of its parents") {
  MadeUpMachine machine;
  machine.file("proc/self/cgroup", v1_groups).file("proc/self/mountinfo", v1_mounts);
  machine.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  machine.file("sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", bytes(64 * cgroup_gib));
  machine.file("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", bytes(4 * cgroup_gib))
      .file("sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", bytes(3 * cgroup_gib))
      .file("sys/fs/cgroup/memory/slurm/job_7/memory.stat",
            "cache 9\ntotal_inactive_file " + bytes(2 * cgroup_gib));
  machine.file("sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_quota_us", "400000\n")
      .file("sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_period_us", "100000\n");
  machine.file("sys/fs/cgroup/cpu,cpuacct/slurm/job_7/cpu.cfs_quota_us", "-1\n")
      .file("sys/fs/cgroup/cpu,cpuacct/slurm/job_7/cpu.cfs_period_us", "100000\n");
  machine.file("sys/fs/cgroup/cpuset/slurm/job_7/cpuset.cpus", "4-7\n");
  const CgroupView view = read_cgroup(machine.root());
  CHECK(view.memory_limit_bytes == 4 * cgroup_gib);
  CHECK(view.memory_limit_name == "memory.limit_in_bytes");
  CHECK(view.memory_remaining_bytes == 3 * cgroup_gib);
  CHECK(view.cpu_quota_cores == 4.0);
  CHECK(view.cpu_quota_name == "cpu.cfs_quota_us");
  CHECK(view.cpus == std::vector{4, 5, 6, 7});
}

TEST_CASE("cgroup v1 and v2 side by side: each controller is read where it is") {
  MadeUpMachine machine;
  machine.file("proc/self/cgroup", "1:memory:/\n0::/\n");
  machine.file("proc/self/mountinfo",
               "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
               "38 31 0:35 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  machine.file("sys/fs/cgroup/memory/memory.limit_in_bytes", bytes(2 * cgroup_gib));
  machine.file("sys/fs/cgroup/unified/cpu.max", "50000 100000\n");
  const CgroupView view = read_cgroup(machine.root());
  CHECK(view.memory_limit_bytes == 2 * cgroup_gib);
  CHECK(view.cpu_quota_cores == 0.5);
}

TEST_CASE("in a container the group's path is outside of what is mounted, and the mount point is the group") {
  MadeUpMachine machine;
  machine.file("proc/self/cgroup", "4:memory:/docker/c0ffee\n0::/../other\n");
  machine.file("proc/self/mountinfo",
               "35 31 0:32 /docker/c0ffee /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
               "38 31 0:35 / /sys/fs/cgroup/unified ro - cgroup2 cgroup2 rw\n");
  machine.file("sys/fs/cgroup/memory/memory.limit_in_bytes", bytes(cgroup_gib));
  machine.file("sys/fs/cgroup/unified/cpu.max", "300000 100000\n");
  machine.file("sys/fs/cgroup/other/cpu.max", "100000 100000\n");
  const CgroupView view = read_cgroup(machine.root());
  CHECK(view.memory_limit_bytes == cgroup_gib);
  CHECK(view.cpu_quota_cores == 3.0);
}

TEST_CASE("without control groups nothing is limited") {
  MadeUpMachine machine;
  CHECK(read_cgroup(machine.root()) == CgroupView{});
  machine.file("proc/self/cgroup", "garbage\n0::\n1:memory:/x\n").file("proc/self/mountinfo", "short line\n");
  CHECK(read_cgroup(machine.root()) == CgroupView{});
}
