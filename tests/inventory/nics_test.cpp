#include "orchestrator/inventory/nics.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

const FirmwareOf no_firmware = [](const std::string&) { return ""; };

/// A PCI network card with its interface, as sysfs lays them out.
void add_card(MadeUpMachine& machine, const std::string& address, const std::string& name,
              const std::string& driver, int numa_node) {
  const std::string device = "sys/devices/pci0000:00/" + address;
  machine.file(device + "/numa_node", std::to_string(numa_node) + "\n")
      .folder("sys/bus/pci/drivers/" + driver)
      .link(device + "/driver", "../../../bus/pci/drivers/" + driver)
      .file(device + "/net/" + name + "/operstate", "up\n")
      .link(device + "/net/" + name + "/device", "../../../" + address)
      .link("sys/class/net/" + name, "../../devices/pci0000:00/" + address + "/net/" + name);
}

}  // namespace

TEST_CASE("a network card is read with its driver, speed, RDMA device, place and firmware") {
  MadeUpMachine machine;
  add_card(machine, "0000:1b:00.0", "ens1np0", "mlx5_core", 1);
  machine.file("sys/devices/pci0000:00/0000:1b:00.0/net/ens1np0/speed", "400000\n")
      .folder("sys/devices/pci0000:00/0000:1b:00.0/infiniband/mlx5_0")
      .link("sys/class/infiniband/mlx5_0", "../../devices/pci0000:00/0000:1b:00.0/infiniband/mlx5_0");
  const auto nics =
      read_nics(machine.root(), [](const std::string& name) { return "28.39.1002 of " + name; });
  Nic expected;
  expected.name = "ens1np0";
  expected.driver = "mlx5_core";
  expected.speed_gb_s = 400;
  expected.rdma_device = "mlx5_0";
  expected.numa_node = 1;
  expected.state = "up";
  expected.firmware = "28.39.1002 of ens1np0";
  expected.pci_address = "0000:1b:00.0";
  CHECK(nics == std::vector{expected});
}

TEST_CASE("a virtio card has the PCI address of the device below it, and a speed of -1 is unknown") {
  MadeUpMachine machine;
  machine.file("sys/devices/pci0000:00/0000:00:03.0/numa_node", "-1\n")
      .folder("sys/bus/virtio/drivers/virtio_net")
      .link("sys/devices/pci0000:00/0000:00:03.0/virtio2/driver", "../../../../bus/virtio/drivers/virtio_net")
      .file("sys/devices/pci0000:00/0000:00:03.0/virtio2/net/eth0/speed", "-1\n")
      .link("sys/devices/pci0000:00/0000:00:03.0/virtio2/net/eth0/device", "../../../virtio2")
      .link("sys/class/net/eth0", "../../devices/pci0000:00/0000:00:03.0/virtio2/net/eth0");
  const auto nics = read_nics(machine.root(), no_firmware);
  REQUIRE(nics.size() == 1);
  CHECK(nics[0].driver == "virtio_net");
  CHECK(nics[0].pci_address == "0000:00:03.0");
  CHECK(nics[0].speed_gb_s == 0);
  CHECK(nics[0].numa_node == -1);
}

TEST_CASE("virtual interfaces are left out, bonds are not") {
  MadeUpMachine machine;
  for (const char* name : {"lo", "docker0", "veth12ab", "tun0"})
    machine.file(std::string("sys/devices/virtual/net/") + name + "/operstate", "up\n")
        .link(std::string("sys/class/net/") + name, std::string("../../devices/virtual/net/") + name);
  machine.file("sys/devices/virtual/net/bond0/operstate", "up\n")
      .file("sys/devices/virtual/net/bond0/speed", "50000\n")
      .file("sys/devices/virtual/net/bond0/bonding/mode", "802.3ad 4\n")
      .link("sys/class/net/bond0", "../../devices/virtual/net/bond0");
  add_card(machine, "0000:1b:00.1", "ens1v0", "mlx5_core", 0);
  machine.link("sys/devices/pci0000:00/0000:1b:00.1/physfn", "../0000:1b:00.0")
      .folder("sys/devices/pci0000:00/0000:1b:00.0");
  const auto nics = read_nics(machine.root(), no_firmware);
  REQUIRE(nics.size() == 1);
  CHECK(nics[0].name == "bond0");
  CHECK(nics[0].driver == "bonding");
  CHECK(nics[0].speed_gb_s == 50);
}

TEST_CASE("an RDMA device without a network interface is a NIC of its own") {
  MadeUpMachine machine;
  const std::string device = "sys/devices/pci0000:00/0000:9a:00.0/infiniband/mlx5_4";
  machine.file("sys/devices/pci0000:00/0000:9a:00.0/numa_node", "1\n")
      .link(device + "/device", "../../../0000:9a:00.0")
      .file(device + "/fw_ver", "28.39.1002\n")
      .file(device + "/ports/1/rate", "400 Gb/sec (4X NDR)\n")
      .file(device + "/ports/1/state", "4: ACTIVE\n")
      .link("sys/class/infiniband/mlx5_4", "../../devices/pci0000:00/0000:9a:00.0/infiniband/mlx5_4");
  const auto nics = read_nics(machine.root(), no_firmware);
  REQUIRE(nics.size() == 1);
  CHECK(nics[0].name == "mlx5_4");
  CHECK(nics[0].speed_gb_s == 400);
  CHECK(nics[0].state == "up");
  CHECK(nics[0].firmware == "28.39.1002");
  CHECK(nics[0].pci_address == "0000:9a:00.0");
  CHECK(nics[0].numa_node == 1);
}

TEST_CASE("an interface that doesn't exist has no firmware") {
  CHECK(driver_firmware("no-such-nic").empty());
  CHECK(driver_firmware("a-name-longer-than-any-interface").empty());
}

TEST_CASE("the interface of the only default route is that of management, unless it carries data by RDMA") {
  MadeUpMachine machine;
  add_card(machine, "0000:1b:00.0", "eth0", "igb", 0);
  add_card(machine, "0000:1c:00.0", "eth1", "igb", 0);
  const std::string header = "Iface\tDestination\tGateway\tFlags\tRefCnt\n";
  const auto roles = [&](const std::string& routes) {
    machine.file("proc/net/route", header + routes);
    std::string text;
    for (const Nic& nic : read_nics(machine.root(), no_firmware)) text += nic.name + "=" + nic.role + " ";
    return text;
  };
  CHECK(roles("eth1\t00000000\t010200C0\t0003\t0\neth0\t000200C0\t00000000\t0001\t0\n") ==
        "eth0= eth1=management ");
  CHECK(roles("eth1\t00000000\t010200C0\t0003\t0\neth0\t00000000\t010200C0\t0003\t0\n") == "eth0= eth1= ");
  CHECK(roles("") == "eth0= eth1= ");
  machine.folder("sys/devices/pci0000:00/0000:1c:00.0/infiniband/mlx5_0");
  CHECK(roles("eth1\t00000000\t010200C0\t0003\t0\n") == "eth0= eth1= ");
}

namespace {

/// An entry of the first port's GID table of a card that `add_card` made.
void add_gid(MadeUpMachine& machine, const std::string& device, int index, const std::string& gid,
             const std::string& type, const std::string& interface) {
  const std::string port = device + "/ports/1/";
  const std::string number = std::to_string(index);
  machine.file(port + "gids/" + number, gid + "\n")
      .file(port + "gid_attrs/types/" + number, type + "\n")
      .file(port + "gid_attrs/ndevs/" + number, interface + "\n");
}

/// A RoCE card as mlx5 shows it: v1 and v2 of the link-local address, then of the IPv4 address.
std::string add_roce_card(MadeUpMachine& machine) {
  add_card(machine, "0000:1b:00.0", "ens1np0", "mlx5_core", 0);
  const std::string card = "sys/devices/pci0000:00/0000:1b:00.0/";
  const std::string device = card + "infiniband/mlx5_0";
  machine.file(card + "net/ens1np0/mtu", "9000\n")
      .file(device + "/ports/1/link_layer", "Ethernet\n")
      .file(device + "/ports/1/rate", "400 Gb/sec (4X NDR)\n")
      .file(device + "/ports/1/state", "4: ACTIVE\n")
      .link("sys/class/infiniband/mlx5_0", "../../devices/pci0000:00/0000:1b:00.0/infiniband/mlx5_0");
  const std::string local = "fe80:0000:0000:0000:0ac0:ebff:fe12:3456";
  add_gid(machine, device, 0, local, "IB/RoCE v1", "ens1np0");
  add_gid(machine, device, 1, local, "RoCE v2", "ens1np0");
  // No types of entries without a GID: the kernel answers EINVAL.
  machine.file(device + "/ports/1/gids/2", "0000:0000:0000:0000:0000:0000:0000:0000\n");
  add_gid(machine, device, 4, "0000:0000:0000:0000:0000:ffff:c0a8:0101", "IB/RoCE v1", "ens1np0");
  add_gid(machine, device, 5, "0000:0000:0000:0000:0000:ffff:c0a8:0101", "RoCE v2", "ens1np0");
  return device;
}

}  // namespace

TEST_CASE(
    "a RoCE port has the index of its RoCE v2 GID with an IPv4 address, not of v1 or of a link-local one") {
  MadeUpMachine machine;
  const std::string device = add_roce_card(machine);
  const auto only = [&] {
    const auto nics = read_nics(machine.root(), no_firmware);
    REQUIRE(nics.size() == 1);
    return nics[0];
  };
  CHECK(only().link_layer == "Ethernet");
  CHECK(only().roce_gid_index == 5);
  CHECK(only().mtu_bytes == 9000);
  CHECK(only().speed_gb_s == 400);  // the interface gives no speed: that of the port
  // A second address of the same interface changes nothing.
  add_gid(machine, device, 7, "0000:0000:0000:0000:0000:ffff:c0a8:0201", "RoCE v2", "ens1np0");
  CHECK(only().roce_gid_index == 5);
  // One on a VLAN does: which of them the fabric uses can't be seen.
  add_gid(machine, device, 9, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2", "ens1np0.100");
  CHECK_FALSE(only().roce_gid_index);
}

TEST_CASE("a RoCE port of a bond has the bond's MTU") {
  MadeUpMachine machine;
  const std::string device = add_roce_card(machine);
  machine.file("sys/devices/virtual/net/bond0/mtu", "4200\n")
      .file("sys/devices/virtual/net/bond0/bonding/mode", "802.3ad 4\n")
      .link("sys/class/net/bond0", "../../devices/virtual/net/bond0");
  for (const char* index : {"4", "5"}) machine.file(device + "/ports/1/gid_attrs/ndevs/" + index, "bond0\n");
  const auto nics = read_nics(machine.root(), no_firmware);
  const auto card = std::ranges::find(nics, "mlx5_0", &Nic::rdma_device);
  REQUIRE(card != nics.end());
  CHECK(card->roce_gid_index == 5);
  CHECK(card->mtu_bytes == 4200);
}

TEST_CASE("an InfiniBand port has its link layer and no GID index of RoCE") {
  MadeUpMachine machine;
  const std::string device = add_roce_card(machine);
  machine.file(device + "/ports/1/link_layer", "InfiniBand\n");
  const auto nics = read_nics(machine.root(), no_firmware);
  REQUIRE(nics.size() == 1);
  CHECK(nics[0].link_layer == "InfiniBand");
  CHECK_FALSE(nics[0].roce_gid_index);
}
