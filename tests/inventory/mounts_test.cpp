#include "orchestrator/inventory/mounts.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

int thousand_blocks(const char*, struct statvfs* space) {
  space->f_frsize = 4096;
  space->f_blocks = 1000;
  space->f_bfree = 500;
  space->f_bavail = 400;
  return 0;
}

std::vector<std::string> paths(const std::string& mountinfo,
                               std::initializer_list<const char*> folders = {}) {
  MadeUpMachine machine;
  machine.file("proc/self/mountinfo", mountinfo);
  for (const char* folder : folders) machine.folder(folder);
  std::vector<std::string> found;
  for (const Mount& mount : read_mounts(machine.root(), thousand_blocks).mounts) found.push_back(mount.path);
  return found;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("a line of mountinfo is read with its escapes decoded") {
  const auto entries = mount_entries(
      "36 35 98:0 /a\\040b /mnt/my\\040disk\\134x rw,noatime master:1 shared:7 - ext4 /dev/sd\\011a "
      "rw,errors=continue\n"
      "cut off\n");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0] == MountEntry{"98:0", "/a b", "/mnt/my disk\\x", "rw,noatime", "ext4", "/dev/sd\ta",
                                 "rw,errors=continue"});
}

TEST_CASE("disks, network filesystems and memory for data are listed, the kernel's own are not") {
  CHECK(paths("1 0 0:1 / /proc rw - proc proc rw\n"
              "2 0 0:2 / /sys rw - sysfs sysfs rw\n"
              "3 0 0:3 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
              "4 0 254:0 / / rw - ext4 /dev/vda rw\n"
              "5 0 0:4 / /dev rw - devtmpfs devtmpfs rw\n"
              "6 0 0:5 / /dev/shm rw - tmpfs tmpfs rw\n"
              "7 0 0:6 / /run rw - tmpfs tmpfs rw\n"
              "8 0 0:7 / /snap/core/1 ro - squashfs /dev/loop0 ro\n"
              "9 0 0:8 / /scratch rw - lustre 10.0.0.1@o2ib:/scratch rw\n"
              "10 0 0:9 / /home rw - nfs4 server:/home rw\n"
              "11 0 0:10 / /pool rw - zfs tank/pool rw\n"
              "12 0 0:11 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw\n",
              {"dev/shm", "scratch", "home", "pool", "snap/core/1", "run"}) ==
        Paths{"/", "/dev/shm", "/scratch", "/home", "/pool"});
}

TEST_CASE("a container's overlay root and its volume are listed, files that are mounted are not") {
  MadeUpMachine machine;
  machine.file("etc/hosts", "")
      .folder("data")
      .file("proc/self/mountinfo",
            "1 0 0:90 / / rw - overlay overlay rw,lowerdir=/x\n"
            "2 1 8:1 /var/lib/c/hosts /etc/hosts rw - xfs /dev/sda1 rw\n"
            "3 1 8:1 /volumes/data /data ro - xfs /dev/sda1 rw\n");
  const auto mounts = read_mounts(machine.root(), thousand_blocks).mounts;
  REQUIRE(mounts.size() == 2);
  CHECK(mounts[0].path == "/");
  CHECK(mounts[1].path == "/data");
  CHECK(mounts[0].writable);
  CHECK_FALSE(mounts[1].writable);
}

TEST_CASE("a device that is mounted in several places is listed once, where most of it shows") {
  CHECK(paths("1 0 8:1 /sub /bind rw - ext4 /dev/sda1 rw\n2 0 8:1 / /whole rw - ext4 /dev/sda1 rw\n"
              "3 0 8:1 /x /later rw - ext4 /dev/sda1 rw\n",
              {"bind", "whole", "later"}) == Paths{"/whole"});
}

TEST_CASE("a mount hides what was mounted there before") {
  MadeUpMachine machine;
  machine.folder("data").file(
      "proc/self/mountinfo",
      "1 0 8:1 / /data rw - ext4 /dev/sda1 rw\n2 0 8:2 / /data rw - xfs /dev/sdb1 rw\n");
  const auto mounts = read_mounts(machine.root(), thousand_blocks).mounts;
  REQUIRE(mounts.size() == 1);
  CHECK(mounts[0].type == "xfs");
  CHECK(mounts[0].source == "/dev/sdb1");
  CHECK(mounts[0].total_bytes == 1000 * 4096);
  CHECK(mounts[0].free_bytes == 400 * 4096);
}

TEST_CASE("a network filesystem whose server is silent is listed with a note, and soon") {
  MadeUpMachine machine;
  machine.file("proc/self/mountinfo", "9 0 0:9 / /home rw - nfs4 server:/home rw\n");
  const StatFilesystem silent = [](const char*, struct statvfs*) { return ::pause(); };
  const auto start = std::chrono::steady_clock::now();
  const FoundMounts found = read_mounts(machine.root(), silent, 0.2);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
  REQUIRE(found.mounts.size() == 1);
  CHECK(found.mounts[0].total_bytes == 0);
  CHECK(found.notes == std::vector<std::string>{"/home (nfs4): no answer within 0.20 s"});
}

TEST_CASE("a filesystem that refuses is listed with the system's reason") {
  MadeUpMachine machine;
  machine.folder("data").file(
      "proc/self/mountinfo",
      "9 0 0:9 / /home rw - nfs4 server:/home rw\n1 0 8:1 / /data rw - ext4 /dev/sda1 rw\n");
  const StatFilesystem stale = [](const char*, struct statvfs*) {
    errno = ESTALE;
    return -1;
  };
  CHECK(read_mounts(machine.root(), stale).notes ==
        std::vector<std::string>{"/home (nfs4): Stale file handle", "/data (ext4): Stale file handle"});
}

TEST_CASE("a network filesystem that answers is read through the child") {
  MadeUpMachine machine;
  machine.file("proc/self/mountinfo", "9 0 0:9 / /home rw - nfs4 server:/home rw\n");
  const FoundMounts found = read_mounts(machine.root(), thousand_blocks);
  REQUIRE(found.mounts.size() == 1);
  CHECK(found.mounts[0].free_bytes == 400 * 4096);
  CHECK(found.notes.empty());
}

TEST_CASE("without mountinfo there is a note") {
  MadeUpMachine machine;
  CHECK(read_mounts(machine.root()).notes.size() == 1);
}
