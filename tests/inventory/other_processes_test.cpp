#include "orchestrator/inventory/node_state.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

/// /proc/<pid>/stat with a parent, a start time and CPU time; the rest is as of any process.
void process(MadeUpMachine& machine, int pid, const std::string& name, int parent, double cpu_s,
             int start = 100) {
  const auto ticks = static_cast<long>(cpu_s * static_cast<double>(::sysconf(_SC_CLK_TCK)));
  machine.file(fmt::format("proc/{}/stat", pid),
               fmt::format("{} ({}) S {} 1 1 0 -1 0 0 0 0 0 {} 0 0 0 20 0 1 0 {} 0 0\n", pid, name, parent,
                           ticks, start));
}

/// init, a kernel thread, and the job: 500 is started by 400.
void usual(MadeUpMachine& machine) {
  process(machine, 1, "systemd", 0, 50);
  process(machine, 2, "kthreadd", 0, 1);
  process(machine, 3, "rcu_sched", 2, 999);
  process(machine, 400, "attempt", 1, 5);
  process(machine, 500, "node-state", 400, 1);
}

}  // namespace

TEST_CASE("who asks, whoever started it and the kernel's threads are no others") {
  MadeUpMachine machine;
  usual(machine);
  process(machine, 4711, "python3 (x) y", 1, 2.5);
  const auto found = process_times(machine.root(), 500);
  REQUIRE(found);
  REQUIRE(found->size() == 4);
  for (const ProcessTime& each : *found) CHECK(each.ours == (each.pid != 4711));
  CHECK(found->back() == ProcessTime{4711, 100, 2.5, false});
}

TEST_CASE("where the kernel hides the processes of others, their absence proves nothing") {
  MadeUpMachine machine;
  process(machine, 400, "attempt", 0, 5);
  process(machine, 500, "node-state", 400, 1);
  CHECK_FALSE(process_times(machine.root(), 500));
  process(machine, 1, "sh", 0, 5);
  CHECK_FALSE(process_times(machine.root(), 500));
}

TEST_CASE("who started the one that asks counts from when it no longer stands above it") {
  MadeUpMachine machine;
  usual(machine);
  process(machine, 300, "tmux", 1, 5000);
  process(machine, 400, "bash", 300, 5);
  const auto before = process_times(machine.root(), 500);
  REQUIRE(before);
  process(machine, 300, "tmux", 1, 5004);
  CHECK(other_processes(machine.root(), *before, *process_times(machine.root(), 500), 10).empty());
  process(machine, 500, "node-state", 1, 1);  // bash has ended
  const auto found = other_processes(machine.root(), *before, *process_times(machine.root(), 500), 10);
  REQUIRE(found.size() == 1);
  CHECK(found.front().command == "tmux");
  CHECK(found.front().cores == Approx(0.4));
}

TEST_CASE("a neighbour is a process that kept a CPU busy meanwhile") {
  MadeUpMachine machine;
  usual(machine);
  process(machine, 600, "slurmd", 1, 100.2);
  process(machine, 700, "stress", 1, 30);
  process(machine, 800, "again", 1, 6, /*start=*/9000);
  machine.file("proc/700/cgroup", "0::/system.slice/slurmstepd.scope/job_4711/step_0/user/task_0\n");
  const std::vector<ProcessTime> before = {
      {600, 100, 100.0, false}, {700, 100, 21.0, false}, {800, 100, 500.0, false}};
  const auto found = other_processes(machine.root(), before, *process_times(machine.root(), 500), 10);
  REQUIRE(found.size() == 2);
  CHECK(found[0].command == "stress");
  CHECK(found[0].cores == Approx(0.9));
  CHECK(found[0].job == "4711");
  CHECK(found[0].user == static_cast<int>(::getuid()));
  // Another process under a reused number: all of its time is new.
  CHECK(found[1].command == "again");
  CHECK(found[1].cores == Approx(0.6));
  CHECK(other_processes(machine.root(), before, *process_times(machine.root(), 500), 0).empty());
}
