#include "orchestrator/inventory/amd_gpus.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

/// A PCI device that the amdgpu driver holds.
void add_device(MadeUpMachine& machine, const std::string& address, const std::string& device,
                std::int64_t memory, const std::string& kind = "0x120000") {
  const std::string folder = "sys/bus/pci/devices/" + address + "/";
  machine.file(folder + "vendor", "0x1002\n")
      .file(folder + "device", "0x" + device + "\n")
      .file(folder + "class", kind + "\n")
      .file(folder + "numa_node", "1\n")
      .link(folder + "driver", "../../../../bus/pci/drivers/amdgpu");
  if (memory > 0) machine.file(folder + "mem_info_vram_total", fmt::format("{}\n", memory));
}

std::string recorded(const std::string& file) {
  return named_file_content(std::string(TEST_FOLDER) + "/fixtures/inventory/" + file).value_or("");
}

void add_node(MadeUpMachine& machine, int number, std::string properties, const std::string& from = "",
              const std::string& to = "") {
  if (!from.empty()) properties.replace(properties.find(from), from.size(), to);
  machine.file(fmt::format("sys/class/kfd/kfd/topology/nodes/{}/properties", number), properties);
}

constexpr std::int64_t mebi = 1024 * 1024;

}  // namespace

TEST_CASE("an MI300X is read from the driver's files, as recorded") {
  MadeUpMachine machine;
  add_device(machine, "0000:05:00.0", "74a1", 196592 * mebi);
  const std::string folder = "sys/bus/pci/devices/0000:05:00.0/";
  machine.file(folder + "product_name", "AMD Instinct MI300X OAM\n")
      .file(folder + "unique_id", "e3a9b9c0d6e0b1f1\n")
      .file(folder + "vbios_version", "113-M3000100-103\n")
      .file(folder + "pp_dpm_sclk", "0: 132Mhz *\n1: 2100Mhz\n")
      .file(folder + "pp_dpm_mclk", "0: 900Mhz *\n1: 1300Mhz\n")
      .file(folder + "ras/features", "feature mask: 0x7fff\n")
      .file("sys/module/amdgpu/version", "6.10.5\n");
  add_node(machine, 0, "cpu_cores_count 96\nsimd_count 0\nlocation_id 0\ndomain 0\n");
  // One node of eight, as it is without partitions: eight times the units.
  add_node(machine, 1, recorded("kfd-mi300x-cpx.txt"), "simd_count 152", "simd_count 1216");
  const FoundGpus found = read_amd_gpus(machine.root());
  CHECK(found.notes.empty());
  CHECK(found.driver == "amdgpu 6.10.5");
  REQUIRE(found.gpus.size() == 1);
  const Gpu& gpu = found.gpus[0];
  CHECK(gpu.model == "AMD Instinct MI300X OAM");
  CHECK(gpu.uuid == "GPU-e3a9b9c0d6e0b1f1");
  CHECK(gpu.memory_bytes == 196592 * mebi);
  CHECK(gpu.sm_count == 304);
  CHECK(gpu.sm_mhz_max == 2100);
  CHECK(gpu.memory_mhz_max == 1300);
  CHECK(gpu.ecc == true);
  CHECK(gpu.pci_id == "1002:74a1");
  CHECK(gpu.pci_address == "0000:05:00.0");
  CHECK(gpu.numa_node == 1);
  CHECK(gpu.vbios == "113-M3000100-103");
  CHECK(catalogued(gpu).row->id == "mi300x");
  Inventory inventory;
  inventory.groups.emplace_back().gpus = found.gpus;
  fill_from_catalogue(inventory);
  CHECK(inventory.groups[0].gpus[0].peak.fp64_tensor_tflops == 163.4);
  CHECK(inventory.groups[0].gpus[0].peak.memory_bandwidth_gb_s == 5300.0);
}

TEST_CASE("partitions of a recorded MI300X are one GPU, and a note") {
  MadeUpMachine machine;
  add_device(machine, "0000:05:00.0", "74a1", 196592 * mebi);
  machine.file("sys/bus/pci/devices/0000:05:00.0/current_compute_partition", "CPX\n");
  for (int partition = 0; partition < 8; ++partition)
    add_node(machine, 2 + partition, recorded("kfd-mi300x-cpx.txt"), "location_id 1280",
             fmt::format("location_id {}", 1280 + partition));
  const FoundGpus found = read_amd_gpus(machine.root());
  REQUIRE(found.gpus.size() == 1);
  CHECK(found.gpus[0].sm_count == 304);
  CHECK(found.notes ==
        std::vector<std::string>{
            "GPU 0000:05:00.0 is in 8 partitions (CPX), which HIP shows as so many devices; here "
            "it is one GPU"});
  CHECK(catalogued(found.gpus[0]).row->id == "mi300x");
}

TEST_CASE("a recorded MI210 and one of the two devices of a recorded MI250X") {
  MadeUpMachine machine;
  add_device(machine, "0000:63:00.0", "740f", 65520 * mebi, "0x038000");
  add_node(machine, 2, recorded("kfd-mi210.txt"));
  // rocminfo: Chip ID 0x7408, BDFID 53504, 110 compute units of 4 SIMDs, 1700 MHz, pool of 67092480 KB.
  add_device(machine, "0000:d1:00.0", "7408", std::int64_t{67092480} * 1024, "0x038000");
  add_node(machine, 3,
           "simd_count 440\nsimd_per_cu 4\nlocation_id 53504\ndomain 0\nmax_engine_clk_fcompute 1700\n");
  const FoundGpus found = read_amd_gpus(machine.root());
  REQUIRE(found.gpus.size() == 2);
  CHECK(found.gpus[0].sm_count == 104);
  CHECK(found.gpus[0].sm_mhz_max == 1700);
  CHECK(catalogued(found.gpus[0]).row->id == "mi210");
  CHECK(found.gpus[1].sm_count == 110);
  CHECK(catalogued(found.gpus[1]).row->id == "mi250x");
  CHECK(found.driver == "amdgpu of the kernel");
}

TEST_CASE("display adapters and devices of other drivers are no accelerators") {
  MadeUpMachine machine;
  add_device(machine, "0000:01:00.0", "13c0", 512 * mebi, "0x030000");
  machine.file("sys/bus/pci/devices/0000:02:00.0/vendor", "0x1002\n")
      .file("sys/bus/pci/devices/0000:02:00.0/device", "0x74a1\n")
      .file("sys/bus/pci/devices/0000:02:00.0/class", "0x120000\n");
  const FoundGpus found = read_amd_gpus(machine.root());
  CHECK(found.gpus.empty());
  CHECK(found.driver.empty());
  CHECK(found.notes.empty());
}

TEST_CASE("what the driver doesn't tell stays unknown") {
  MadeUpMachine machine;
  add_device(machine, "0000:05:00.0", "74a0", 0);
  const FoundGpus found = read_amd_gpus(machine.root());
  REQUIRE(found.gpus.size() == 1);
  CHECK(found.gpus[0].memory_bytes == 0);
  CHECK(found.gpus[0].sm_count == 0);
  CHECK_FALSE(found.gpus[0].ecc);
  CHECK(found.notes == std::vector<std::string>{"GPU 0000:05:00.0 does not report its memory"});
}
