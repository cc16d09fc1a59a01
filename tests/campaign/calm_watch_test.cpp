#include "orchestrator/campaign/calm_watch.hpp"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;
using State = CalmWatch::State;

namespace {

/// A machine of two cores, by what its kernel has counted in seconds.
struct CountedMachine {
  TemporaryFolder temporary;

  void counts(double busy_s, double idle_s, double steal_s = 0) const {
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    const auto jiffies = [&](double seconds) { return std::to_string(static_cast<long>(seconds * ticks)); };
    const std::string line = jiffies(busy_s) + " 0 0 " + jiffies(idle_s) + " 0 0 0 " + jiffies(steal_s);
    REQUIRE(write_file(temporary.path / "proc/stat",
                       "cpu  " + line + " 0 0\ncpu0 " + line + " 0 0\ncpu1 " + line + " 0 0\nintr 1\n"));
  }
  CountedMachine() { REQUIRE(make_folder(temporary.path / "proc")); }
};

Criteria calm_limits() {
  Criteria criteria;
  criteria.load = DisturbanceLimit{1.05, "the test"};
  criteria.steal = DisturbanceLimit{0.02, "the test"};
  return criteria;
}

Case on_two_cores() {
  Case planned;
  planned.ranks_per_node = 2;
  return planned;
}

}  // namespace

TEST_CASE("a calm machine is waited for no longer than it takes to look") {
  const CountedMachine machine;
  CalmWatch watch(calm_limits(), 60, machine.temporary.path);
  machine.counts(100, 100);
  CHECK(watch.look(on_two_cores(), 10) == State::looking);
  CHECK(watch.look(on_two_cores(), 10.2) == State::looking);
  machine.counts(100.05, 102);
  CHECK(watch.look(on_two_cores(), 11) == State::calm);
  CHECK(watch.disturbed_by().empty());
}

TEST_CASE("another program on the GPUs is waited for before a program for GPUs, and before no other") {
  const CountedMachine machine;
  machine.counts(100, 100);
  ::setenv("FAKE_NVML", "shared", 1);
  Case on_gpus = on_two_cores();
  on_gpus.implementation = "cuda";
  CalmWatch watch(Criteria(), 60, machine.temporary.path, FAKE_NVML_LIBRARY);  // whatever the limits
  CHECK(watch.look(on_two_cores(), 10) == State::calm);
  CHECK(watch.look(on_gpus, 10) == State::looking);
  CHECK(watch.look(on_gpus, 11) == State::disturbed);
  CHECK(watch.disturbed_by().starts_with("gpu0: 2 other processes, "));
  ::setenv("FAKE_NVML", "", 1);
  CHECK(watch.look(on_gpus, 12) == State::calm);
  CHECK(watch.patience_left_s() == Approx(59));
  ::unsetenv("FAKE_NVML");
  CalmWatch blind(calm_limits(), 60, machine.temporary.path, "");  // the node is not this machine
  CHECK(blind.look(on_gpus, 10) == State::looking);
}

TEST_CASE("a disturbed machine is waited for until it is calm") {
  const CountedMachine machine;
  CalmWatch watch(calm_limits(), 60, machine.temporary.path);
  machine.counts(100, 100);
  CHECK(watch.look(on_two_cores(), 10) == State::looking);
  machine.counts(101, 101);
  CHECK(watch.look(on_two_cores(), 11) == State::disturbed);
  CHECK(watch.disturbed_by().starts_with("processes that can't be named use "));  // without our own time
  machine.counts(102, 102);
  CHECK(watch.look(on_two_cores(), 12) == State::disturbed);
  CHECK(watch.patience_left_s() == Approx(59));
  Case narrow = on_two_cores();
  narrow.ranks_per_node = 1;  // it leaves a core to the others
  machine.counts(103, 103);
  CHECK(watch.look(narrow, 13) == State::calm);
}

TEST_CASE("the hypervisor disturbs as processes do") {
  const CountedMachine machine;
  CalmWatch watch(calm_limits(), 60, machine.temporary.path);
  machine.counts(100, 100);
  CHECK(watch.look(on_two_cores(), 10) == State::looking);
  machine.counts(100, 101.9, 0.1);
  CHECK(watch.look(on_two_cores(), 11) == State::disturbed);
  CHECK(watch.disturbed_by() == "the hypervisor takes 5.0 % of the CPU time");
}

TEST_CASE("it is waited no longer than patience lasts, in all") {
  const CountedMachine machine;
  CalmWatch watch(calm_limits(), 2, machine.temporary.path);
  double at = 10;
  const auto busy = [&] {
    at += 1;
    machine.counts(100 + at, 100 + at);
    return watch.look(on_two_cores(), at);
  };
  CHECK(busy() == State::looking);
  CHECK(busy() == State::disturbed);
  CHECK(busy() == State::disturbed);
  CHECK(busy() == State::given_up);
  watch.forget();  // a case ran
  CHECK(busy() == State::looking);
  CHECK(busy() == State::given_up);  // the next is not waited for as long again
}

TEST_CASE("without limits, and where nothing can be seen, nothing is waited for") {
  const TemporaryFolder empty;
  CHECK(CalmWatch(Criteria(), 60, empty.path).look(on_two_cores(), 10) == State::calm);
  CHECK(CalmWatch(calm_limits(), 60, empty.path).look(on_two_cores(), 10) == State::calm);
}
