#include "orchestrator/inventory/disks.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

void add_nvme(MadeUpMachine& machine, const std::string& name, const std::string& device,
              const std::string& transport = "pcie") {
  const std::string folder = "sys/block/" + name + "/";
  machine.file(folder + "size", "15002931888\n")
      .file(folder + "dev", device + "\n")
      .file(folder + "removable", "0\n")
      .file(folder + "queue/rotational", "0\n")
      .file(folder + "device/model", "SAMSUNG MZQL27T6HBLA-00A07              \n")
      .file(folder + "device/firmware_rev", "GDC5602Q\n")
      .file(folder + "device/transport", transport + "\n");
}

void mounts(MadeUpMachine& machine, const std::string& lines) {
  machine.file("proc/self/mountinfo", lines);
}

}  // namespace

TEST_CASE("an NVMe disk has model, size, firmware and where it is mounted") {
  MadeUpMachine machine;
  add_nvme(machine, "nvme1n1", "259:4");
  mounts(machine, "30 1 259:4 / /scratch rw - xfs /dev/nvme1n1 rw\n");
  const auto disks = read_disks(machine.root());
  REQUIRE(disks.size() == 1);
  const Disk expected{
      "nvme1n1", "SAMSUNG MZQL27T6HBLA-00A07", 15002931888LL * 512, "nvme", false, "GDC5602Q", {"/scratch"}};
  CHECK(disks[0] == expected);
}

TEST_CASE(
    "mount points are found on partitions, on logical volumes and RAID over them, and by the device's name") {
  MadeUpMachine machine;
  add_nvme(machine, "nvme0n1", "259:0");
  machine.file("sys/block/nvme0n1/nvme0n1p1/partition", "1\n")
      .file("sys/block/nvme0n1/nvme0n1p1/dev", "259:1\n")
      .file("sys/block/nvme0n1/nvme0n1p2/partition", "2\n")
      .file("sys/block/nvme0n1/nvme0n1p2/dev", "259:2\n")
      .folder("sys/block/nvme0n1/nvme0n1p2/holders/dm-0")
      .file("sys/block/dm-0/dev", "253:0\n")
      .file("sys/block/dm-0/size", "1000\n");
  add_nvme(machine, "nvme1n1", "259:4");
  add_nvme(machine, "nvme2n1", "259:5");
  machine.folder("sys/block/nvme1n1/holders/md127")
      .folder("sys/block/nvme2n1/holders/md127")
      .file("sys/block/md127/dev", "9:127\n")
      .file("sys/block/md127/size", "1000\n");
  add_nvme(machine, "nvme3n1", "259:6");
  mounts(machine,
         "30 1 259:1 / /boot rw - ext4 /dev/nvme0n1p1 rw\n"
         "31 1 253:0 / / rw - xfs /dev/mapper/rl-root rw\n"
         "32 1 253:0 /var/log /mnt/bind rw - xfs /dev/mapper/rl-root rw\n"
         "33 1 9:127 / /scratch rw - xfs /dev/md127 rw\n"
         "34 1 0:45 / /data rw - btrfs /dev/nvme3n1 rw\n");
  const auto disks = read_disks(machine.root());
  REQUIRE(disks.size() == 4);
  CHECK(disks[0].mounts == std::vector<std::string>{"/", "/boot"});
  CHECK(disks[1].mounts == std::vector<std::string>{"/data"});
  CHECK(disks[2].mounts == std::vector<std::string>{"/scratch"});
  CHECK(disks[3].mounts == std::vector<std::string>{"/scratch"});
}

TEST_CASE("only disks of the node itself count") {
  MadeUpMachine machine;
  add_nvme(machine, "nvme0n1", "259:0");
  add_nvme(machine, "nvme1n1", "259:1", "tcp");
  add_nvme(machine, "nvme2c2n1", "259:2");
  machine.file("sys/block/nvme2c2n1/hidden", "1\n");
  add_nvme(machine, "sdz", "8:0");
  machine.file("sys/block/sdz/removable", "1\n");
  machine.file("sys/block/loop0/size", "1000\n").file("sys/block/zram0/size", "1000\n");
  machine.file("sys/block/sdb/size", "1000\n")
      .folder("sys/devices/pci/host7/rport-7:0-2/target/7:0:2:0")
      .link("sys/block/sdb/device", "../../devices/pci/host7/rport-7:0-2/target/7:0:2:0");
  const auto disks = read_disks(machine.root());
  REQUIRE(disks.size() == 1);
  CHECK(disks[0].name == "nvme0n1");
}

TEST_CASE("disks that nodes number differently come in the same order") {
  MadeUpMachine machine;
  add_nvme(machine, "nvme0n1", "259:0");
  add_nvme(machine, "nvme1n1", "259:1");
  mounts(machine, "30 1 259:0 / / rw - xfs /dev/nvme0n1 rw\n");
  MadeUpMachine other;
  add_nvme(other, "nvme0n1", "259:0");
  add_nvme(other, "nvme1n1", "259:1");
  mounts(other, "30 1 259:1 / / rw - xfs /dev/nvme1n1 rw\n");
  const auto a = read_disks(machine.root());
  const auto b = read_disks(other.root());
  REQUIRE(a.size() == 2);
  REQUIRE(b.size() == 2);
  for (size_t i = 0; i < 2; ++i) CHECK(a[i].mounts == b[i].mounts);
  CHECK(a[1].name == "nvme0n1");
  CHECK(b[1].name == "nvme1n1");
}

TEST_CASE("a virtual disk and a hard disk are told apart") {
  MadeUpMachine machine;
  machine.file("sys/block/vda/size", "1000\n")
      .folder("sys/block/vda/device")
      .file("sys/block/vda/dev", "254:0\n")
      .file("sys/block/vda/queue/rotational", "1\n");
  machine.file("sys/block/sda/size", "1000\n")
      .file("sys/block/sda/queue/rotational", "1\n")
      .file("sys/block/sda/device/model", "ST16000NM000J\n")
      .file("sys/block/sda/device/rev", "SN04\n");
  const auto disks = read_disks(machine.root());
  REQUIRE(disks.size() == 2);
  CHECK(disks[0].bus == "scsi");
  CHECK(disks[0].rotational == true);
  CHECK(disks[0].firmware == "SN04");
  CHECK(disks[1].bus == "virtio");
  CHECK_FALSE(disks[1].rotational);
  CHECK(disks[1].model.empty());
}
