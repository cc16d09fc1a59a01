#include "orchestrator/inventory/node_state.hpp"

#include <stdlib.h>

#include <catch2/catch.hpp>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

std::string before(const std::vector<NodeReading>& readings, std::string_view name,
                   std::string_view device = "") {
  for (const NodeReading& reading : readings)
    if (reading.name == name && reading.device == device) return reading.before.value_or("(nothing)");
  return "(not read)";
}

std::vector<NodeReading> read(const MadeUpMachine& machine, const char* wrong = "") {
  ::setenv("FAKE_NVML", wrong, 1);
  return read_node(machine.root(), FAKE_NVML_LIBRARY);
}

}  // namespace

TEST_CASE("a node's settings are read from the kernel's files") {
  MadeUpMachine machine;
  machine.file("proc/sys/kernel/osrelease", "6.8.0-45-generic\n")
      .file("proc/sys/kernel/numa_balancing", "1\n")
      .file("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n")
      .file("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n")
      .file("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n")
      .file("sys/devices/system/cpu/smt/control", "off\n")
      .file("sys/devices/system/cpu/cpu0/microcode/version", "0x2b000590\n")
      .file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
      .file("sys/devices/system/edac/mc/mc0/dimm0/dimm_edac_mode", "S8ECD8ED\n")
      .file("sys/devices/system/edac/mc/mc1/dimm3/dimm_edac_mode", "S8ECD8ED\n")
      .file("sys/class/dmi/id/bios_version", "1.8.2\n")
      .file("sys/class/infiniband/mlx5_0/fw_ver", "28.39.1002\n");
  const auto readings = read(machine);
  CHECK(before(readings, "kernel") == "6.8.0-45-generic");
  CHECK(before(readings, "firmware") == "1.8.2");
  CHECK(before(readings, "microcode") == "0x2b000590");
  CHECK(before(readings, "governor") == "performance");
  CHECK(before(readings, "turbo") == "on");
  CHECK(before(readings, "smt") == "off");
  CHECK(before(readings, "thp") == "madvise");
  CHECK(before(readings, "numa_balancing") == "on");
  CHECK(before(readings, "memory_ecc") == "S8ECD8ED");
  CHECK(before(readings, "nic_firmware", "mlx5_0") == "28.39.1002");
}

TEST_CASE("processors with different governors say both") {
  MadeUpMachine machine;
  machine.file("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n")
      .file("sys/devices/system/cpu/cpufreq/policy7/scaling_governor", "powersave\n")
      .file("sys/devices/system/cpu/cpufreq/boost", "0\n");
  CHECK(before(read(machine), "governor") == "performance, powersave");
  CHECK(before(read(machine), "turbo") == "off");
}

TEST_CASE("a GPU's settings are read through the management library") {
  const MadeUpMachine machine;
  const auto readings = read(machine, "capped hot shared");
  CHECK(before(readings, "driver") == "550.90.07");
  CHECK(before(readings, "vbios", "gpu1") == "96.00.74.00.1A");
  CHECK(before(readings, "inforom", "gpu0") == "G520.0200.00.05");
  CHECK(before(readings, "ecc", "gpu0") == "on");
  CHECK(before(readings, "mig", "gpu0") == "off");
  CHECK(before(readings, "persistence", "gpu0") == "on");
  CHECK(before(readings, "power_limit_w", "gpu0") == "700");
  CHECK(before(readings, "power_limit_w", "gpu1") == "500");
  CHECK(before(readings, "gpu_clock_mhz", "gpu0") == "1980");
  CHECK(before(readings, "memory_clock_mhz", "gpu0") == "2619");
  CHECK(before(readings, "gpu_clock_now_mhz", "gpu0") == "345");
  CHECK(before(readings, "gpu_temperature_c", "gpu0") == "31");
  CHECK(before(readings, "throttle", "gpu0") == "HW slowdown, HW thermal slowdown");
  CHECK(before(readings, "gpu_processes", "gpu0") == "2");
  CHECK(before(readings, "gpu_processes", "gpu1") == "0");
  CHECK(before(readings, "gpu_programs", "gpu0").ends_with(" (pid 1), a process (pid 4194305)"));
  CHECK(before(readings, "gpu_programs", "gpu1") == "(not read)");
  CHECK(before(readings, "power_held_s", "gpu1") == "2.500");
  CHECK(before(readings, "heat_held_s", "gpu0") == "0.001");
  CHECK(before(read(machine, "ecc-off"), "ecc", "gpu1") == "off");
  CHECK(before(read(machine, "mig"), "mig", "gpu1") == "on");
}

TEST_CASE("what a node does not tell is not read, and nothing is made up") {
  MadeUpMachine machine;
  CHECK(read(machine, "no-driver").empty());
  machine.file("sys/module/nvidia/version", "550.90.07\n");
  const auto readings = read(machine, "no-driver");
  REQUIRE(readings.size() == 1);
  CHECK(before(readings, "driver") == "550.90.07");
  CHECK(before(read(machine, "silent"), "ecc", "gpu0") == "(not read)");
}

TEST_CASE("all that is read has a name in the table") {
  const MadeUpMachine machine;
  for (const NodeReading& reading : read(machine)) CHECK(reading_name(reading.name) != nullptr);
  CHECK(reading_name("colour") == nullptr);
}

TEST_CASE("the second look is put beside the first, and what is new stands alone") {
  NodeState state;
  state.readings = {{"", "thp", "always"}, {"gpu0", "ecc", "on"}};
  put_after(state, {{"gpu0", "ecc", "off"}, {"gpu1", "ecc", "on"}});
  const std::vector<NodeReading> wanted = {
      {"", "thp", "always"}, {"gpu0", "ecc", "on", "off"}, {"gpu1", "ecc", std::nullopt, "on"}};
  CHECK(state.readings == wanted);
}

TEST_CASE("a node's state is read back as it was written, and a cut file is refused") {
  NodeState state;
  state.node = "cn001";
  state.before_s = 1.5;
  state.readings = {{"", "thp", "always"}, {"gpu0", "ecc", "on", "off"}};
  state.processes = {{4711, 900, 1.25, false}};
  const std::string text = node_state_json(state);
  CHECK(node_state_from_json(text, "x").value() == state);
  state.after_s = 9;
  state.processes.clear();
  state.other_processes.emplace();
  CHECK(node_state_from_json(node_state_json(state), "x").value() == state);
  state.other_processes->push_back({4711, 1001, "python3", "88", 0.75});
  CHECK(node_state_from_json(node_state_json(state), "x").value() == state);
  const auto cut = node_state_from_json(text.substr(0, text.size() / 2), "node-cn001.json");
  REQUIRE_FALSE(cut);
  CHECK(cut.error().where == "node-cn001.json");
}
