#include "orchestrator/inventory/gpus.hpp"

#include <dlfcn.h>
#include <stdlib.h>

#include <catch2/catch.hpp>

#include "orchestrator/inventory/accelerators.hpp"
#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

const std::string library = FAKE_NVML_LIBRARY;

FoundGpus found(const char* wrong = "") {
  MadeUpMachine machine;
  machine.file("sys/bus/pci/devices/0000:1b:00.0/numa_node", "0\n");
  machine.file("sys/bus/pci/devices/0000:db:00.0/numa_node", "1\n");
  ::setenv("FAKE_NVML", wrong, 1);
  return read_gpus(machine.root(), library);
}

}  // namespace

TEST_CASE("GPUs are read through the management library") {
  const FoundGpus gpus = found();
  CHECK(gpus.notes.empty());
  CHECK(gpus.driver == "550.90.07");
  REQUIRE(gpus.gpus.size() == 2);
  const Gpu& gpu = gpus.gpus[1];
  CHECK(gpu.model == "NVIDIA H100 80GB HBM3");
  CHECK(gpu.uuid == "GPU-5d4c0b6e-0000-0000-0000-000000000001");
  CHECK(gpu.memory_bytes == 85520809984 - 578813952);
  CHECK(gpu.sm_count == 132);
  CHECK(gpu.sm_mhz_max == 1980);
  CHECK(gpu.memory_mhz_max == 2619);
  CHECK(gpu.ecc == true);
  CHECK(gpu.pci_address == "0000:db:00.0");
  CHECK(gpu.pci_id == "10de:2330");
  CHECK(gpu.numa_node == 1);
  CHECK(gpu.driver == "550.90.07");
  CHECK(gpu.vbios == "96.00.74.00.1A");
  CHECK(gpus.gpus[0].numa_node == 0);
}

TEST_CASE("recorded GPUs are found in the catalogue, with what CUDA offers of their memory") {
  struct Recorded {
    const char* file;
    const char* model;
    const char* pci_id;
    const char* row;
    std::int64_t mib;
  };
  for (const Recorded& each :
       {Recorded{"nvidia-smi-q-h100.txt", "NVIDIA H100 80GB HBM3", "10de:2330", "h100-sxm5-80gb",
                 81559 - 479},
        Recorded{"nvidia-smi-q-h200.txt", "NVIDIA H200", "10de:2335", "h200-sxm-141gb", 143771 - 614}}) {
    CAPTURE(each.file);
    ::setenv("FAKE_NVML_RECORD", (std::string(TEST_FOLDER) + "/fixtures/inventory/" + each.file).c_str(), 1);
    const FoundGpus gpus = found();
    ::unsetenv("FAKE_NVML_RECORD");
    REQUIRE(gpus.gpus.size() == 1);
    const Gpu& gpu = gpus.gpus[0];
    CHECK(gpu.model == each.model);
    CHECK(gpu.pci_id == each.pci_id);
    CHECK(gpu.memory_bytes == each.mib * 1024 * 1024);
    CHECK(gpu.driver == "590.48.01");
    CHECK(gpu.ecc == true);
    const CatalogueAnswer answer = catalogued(gpu);
    REQUIRE(answer.row != nullptr);
    CHECK(answer.row->id == each.row);
    CHECK(answer.row->usable_bytes == gpu.memory_bytes);
  }
}

TEST_CASE("a library without a driver means no GPUs, said once") {
  const FoundGpus gpus = found("no-driver");
  CHECK(gpus.gpus.empty());
  CHECK(gpus.driver.empty());
  CHECK(gpus.notes == std::vector<std::string>{"no NVIDIA GPUs: Driver Not Loaded"});
}

TEST_CASE("no library means no GPUs, said once") {
  const FoundGpus gpus = read_gpus(MadeUpMachine().root(), "libno-such-nvml.so.1");
  CHECK(gpus.gpus.empty());
  CHECK(gpus.notes == std::vector<std::string>{
                          "no NVIDIA GPUs: none on the PCI bus, and libno-such-nvml.so.1 is not here"});
  MadeUpMachine without_driver;
  without_driver.file("sys/bus/pci/devices/0000:18:00.0/vendor", "0x10de\n");
  without_driver.file("sys/bus/pci/devices/0000:18:00.0/class", "0x030200\n");
  CHECK(read_gpus(without_driver.root(), "libno-such-nvml.so.1").notes ==
        std::vector<std::string>{"GPUs are missing: the PCI bus has an NVIDIA one, but libno-such-nvml.so.1 "
                                 "is not here: install its driver"});
  MadeUpMachine with_driver;
  with_driver.file("dev/nvidiactl", "");
  const auto hidden = read_gpus(with_driver.root(), "libno-such-nvml.so.1");
  REQUIRE(hidden.notes.size() == 1);
  CHECK(hidden.notes[0].starts_with(
      "GPUs are missing: /dev/nvidiactl is here, but libno-such-nvml.so.1 can't be loaded: add its folder"));
}

TEST_CASE("a library that can't count its GPUs says why") {
  CHECK(found("no-count").notes == std::vector<std::string>{"no NVIDIA GPUs: GPU is lost"});
}

TEST_CASE("a lost GPU is a note, and the others stay") {
  const FoundGpus gpus = found("lost-gpu");
  CHECK(gpus.gpus.size() == 1);
  CHECK(gpus.notes == std::vector<std::string>{"GPU 1 can't be used: GPU is lost"});
}

TEST_CASE("what a GPU doesn't tell stays unknown") {
  const FoundGpus gpus = found("silent");
  REQUIRE(gpus.gpus.size() == 2);
  Gpu expected;
  expected.model = "NVIDIA H100 80GB HBM3";
  expected.uuid = "GPU-5d4c0b6e-0000-0000-0000-000000000000";
  expected.driver = "550.90.07";
  CHECK(gpus.gpus[0] == expected);
  CHECK(gpus.notes ==
        std::vector<std::string>{"GPU 0 does not report its memory", "GPU 1 does not report its memory"});
}

TEST_CASE(
    "the SMs come from the attributes where the driver gives them, and are unknown on an unknown "
    "architecture") {
  CHECK(found("mig").gpus.at(0).sm_count == 16);
  CHECK(found("future").gpus.at(0).sm_count == 0);
}

TEST_CASE("ECC that is switched off is off, and an old driver's memory is its total") {
  const FoundGpus gpus = found("ecc-off old");
  CHECK(gpus.gpus.at(0).ecc == false);
  CHECK(gpus.gpus.at(0).memory_bytes == 85520809984);
}

TEST_CASE("the management library is shut down as often as it is started") {
  void* handle = dlopen(library.c_str(), RTLD_NOW);
  REQUIRE(handle != nullptr);
  const auto started = reinterpret_cast<int (*)()>(dlsym(handle, "fakeNvmlStarted"));
  CHECK(found().gpus.size() == 2);
  CHECK(started() == 0);
  CHECK(found("no-driver").gpus.empty());
  CHECK(started() == 0);
  dlclose(handle);
}
