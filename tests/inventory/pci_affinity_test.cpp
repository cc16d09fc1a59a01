#include "orchestrator/inventory/topology.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

/// A PCI device at the end of its bridges: "pci0000:15/0000:15:01.0/0000:16:00.0".
std::string plug(MadeUpMachine& machine, const std::string& way) {
  const std::string address = way.substr(way.rfind('/') + 1);
  machine.folder("sys/devices/" + way).link("sys/bus/pci/devices/" + address, "../../../devices/" + way);
  return address;
}

Gpu gpu(MadeUpMachine& machine, const std::string& way) {
  Gpu gpu;
  gpu.pci_address = plug(machine, way);
  return gpu;
}

Nic nic(MadeUpMachine& machine, const std::string& name, const std::string& way) {
  Nic nic;
  nic.name = nic.rdma_device = name;
  nic.pci_address = plug(machine, way);
  return nic;
}

}  // namespace

TEST_CASE("a NIC serves the GPU behind its PCIe switch, whatever the two are numbered") {
  MadeUpMachine machine;
  const std::string a = "pci0000:15/0000:15:01.0/0000:16:00.0/";
  const std::string b = "pci0000:37/0000:37:01.0/0000:38:00.0/";
  const std::vector<Gpu> gpus = {gpu(machine, a + "0000:17:00.0/0000:18:00.0"),
                                 gpu(machine, b + "0000:39:00.0/0000:3a:00.0")};
  const auto nics = with_gpu_affinity({nic(machine, "mlx5_0", b + "0000:39:01.0/0000:3b:00.0"),
                                       nic(machine, "mlx5_3", "pci0000:15/0000:15:02.0/0000:20:00.0"),
                                       nic(machine, "mlx5_4", a + "0000:17:01.0/0000:19:00.0")},
                                      gpus, machine.root());
  CHECK(nics[0].gpu == 1);
  CHECK_FALSE(nics[1].gpu);  // only the host bridge in common
  CHECK(nics[2].gpu == 0);
}

TEST_CASE("as many NICs as GPUs behind one switch are paired in order, one NIC for two GPUs is not") {
  MadeUpMachine machine;
  const std::string a = "pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:0";
  std::vector<Gpu> gpus = {gpu(machine, a + "0.0/0000:18:00.0"), gpu(machine, a + "1.0/0000:19:00.0")};
  const Nic second = nic(machine, "mlx5_0", a + "3.0/0000:1b:00.0");
  const Nic first = nic(machine, "mlx5_1", a + "2.0/0000:1a:00.0");
  const auto paired = with_gpu_affinity({second, first}, gpus, machine.root());
  CHECK(paired[0].gpu == 1);
  CHECK(paired[1].gpu == 0);
  CHECK_FALSE(with_gpu_affinity({first}, gpus, machine.root())[0].gpu);
}

TEST_CASE("NICs without RDMA, without a place or without GPUs serve none") {
  MadeUpMachine machine;
  const std::string a = "pci0000:15/0000:15:01.0/0000:16:00.0/";
  const std::vector<Gpu> gpus = {gpu(machine, a + "0000:17:00.0/0000:18:00.0"), Gpu{}};
  Nic plain = nic(machine, "eth0", a + "0000:17:01.0/0000:19:00.0");
  plain.rdma_device.clear();
  Nic bond;
  bond.name = bond.rdma_device = "mlx5_bond_0";
  const Nic card = nic(machine, "mlx5_0", a + "0000:17:02.0/0000:1a:00.0");
  for (const Nic& each : with_gpu_affinity({plain, bond}, gpus, machine.root())) CHECK_FALSE(each.gpu);
  CHECK_FALSE(with_gpu_affinity({card}, {}, machine.root())[0].gpu);
  CHECK(with_gpu_affinity({card}, gpus, machine.root())[0].gpu == 0);
}
