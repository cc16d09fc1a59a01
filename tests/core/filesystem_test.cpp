#include "orchestrator/core/filesystem.hpp"

#include <catch2/catch.hpp>

#include "tests/temporary_folder.hpp"

using namespace shakedown;

TEST_CASE("filesystems of several hosts are distinguished from those of one by their magic number") {
  struct Row {
    unsigned long magic;
    std::string name;
    bool shared;
  };
  const Row row =
      GENERATE(Row{0xEF53, "ext4", false}, Row{0x58465342, "XFS", false}, Row{0x01021994, "tmpfs", false},
               Row{0x794C7630, "overlay", false}, Row{0x6969, "NFS", true}, Row{0x0BD00BD0, "Lustre", true},
               Row{0x47504653, "GPFS", true}, Row{0x19830326, "BeeGFS", true},
               Row{0x00C36400, "CephFS", true}, Row{0xFF534D42, "CIFS", true}, Row{0xFE534D42, "SMB2", true},
               Row{0x01021997, "9p", true}, Row{0x5346414F, "AFS", true}, Row{0x7461636F, "OCFS2", true});
  const Filesystem found = filesystem_called(row.magic, "whatever");
  CHECK(found.name == row.name);
  CHECK(found.shared == row.shared);
}

TEST_CASE("a filesystem that nobody knows is taken for a shared one, by the kernel's name") {
  CHECK(filesystem_called(0x12345678, "wekafs") == Filesystem{"wekafs", true});
  CHECK(filesystem_called(0x12345678, "") == Filesystem{"unknown (0x12345678)", true});
  CHECK(filesystem_called(0x65735546, "fuse.sshfs") == Filesystem{"fuse.sshfs", true});
  CHECK(filesystem_called(0x65735546, "") == Filesystem{"FUSE", true});
}

TEST_CASE("the filesystem of a folder that is not there yet is that of its parent") {
  const TemporaryFolder temporary;
  CHECK(filesystem_of(temporary.path / "a" / "b").value() == filesystem_of(temporary.path).value());
  CHECK(filesystem_of("/dev/shm").value() == Filesystem{"tmpfs", false});
}
