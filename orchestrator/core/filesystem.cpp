#include "orchestrator/core/filesystem.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

struct Known {
  unsigned long magic = 0;
  std::string_view name;
  bool shared = true;
};

/// WekaFS, IBM Storage Scale's newer names, DAOS and the like are not here: what is unknown is shared.
constexpr std::array known = {
    // Of one host. Overlays lie on a local disk: the kernel takes no network filesystem as their upper layer
    // that lacks xattrs and d_type.
    Known{0xEF53UL, "ext4", false},
    Known{0x58465342UL, "XFS", false},
    Known{0x9123683EUL, "Btrfs", false},
    Known{0x01021994UL, "tmpfs", false},
    Known{0x858458F6UL, "ramfs", false},
    Known{0x794C7630UL, "overlay", false},
    Known{0x2FC12FC1UL, "ZFS", false},
    Known{0xF2F52010UL, "F2FS", false},
    Known{0xCA451A4EUL, "bcachefs", false},
    Known{0x3153464AUL, "JFS", false},
    Known{0x52654973UL, "ReiserFS", false},
    Known{0x3434UL, "NILFS", false},
    Known{0x4D44UL, "FAT", false},
    Known{0x2011BAB0UL, "exFAT", false},
    Known{0x73717368UL, "SquashFS", false},
    Known{0xE0F5E1E2UL, "EROFS", false},
    Known{0x9660UL, "ISO 9660", false},
    // Of several hosts.
    Known{0x6969UL, "NFS"},
    Known{0x0BD00BD0UL, "Lustre"},
    Known{0x47504653UL, "GPFS"},
    Known{0x19830326UL, "BeeGFS"},
    Known{0x00C36400UL, "CephFS"},
    Known{0xFF534D42UL, "CIFS"},
    Known{0xFE534D42UL, "SMB2"},
    Known{0x517BUL, "SMB"},
    Known{0x01021997UL, "9p"},
    Known{0x65735546UL, "FUSE"},
    Known{0x5346414FUL, "AFS"},
    Known{0x6B414653UL, "AFS"},
    Known{0x7461636FUL, "OCFS2"},
    Known{0x01161970UL, "GFS2"},
    Known{0x73757245UL, "Coda"},
    Known{0x564CUL, "NCP"},
    Known{0x20030528UL, "OrangeFS"},
    Known{0xAAD7AAEAUL, "PanFS"},
    Known{0xBEEFDEADUL, "StorNext"},
    Known{0xBACBACBCUL, "VMware shared folders"},
    Known{0x786F4256UL, "VirtualBox shared folders"},
};
constexpr unsigned long fuse = 0x65735546UL;

/// The kernel's name for the filesystem of a device, from /proc/self/mountinfo (proc(5)); empty: not there.
std::string mounted_type(dev_t device) {
  const auto text = file_content("/proc/self/mountinfo");
  if (!text) return {};
  const std::string wanted = fmt::format("{}:{}", major(device), minor(device));
  for (const std::string_view line : split(*text, '\n')) {
    const auto fields = words(line);
    if (fields.size() < 3 || fields[2] != wanted) continue;
    const auto dash = std::ranges::find(fields, "-");
    if (dash != fields.end() && dash + 1 != fields.end()) return std::string(*(dash + 1));
  }
  return {};
}

}  // namespace

Filesystem filesystem_called(unsigned long magic, const std::string& type) {
  const auto it = std::ranges::find(known, magic, &Known::magic);
  if (it != known.end() && magic != fuse) return {std::string(it->name), it->shared};
  if (!type.empty()) return {type, true};
  return {it != known.end() ? std::string(it->name) : fmt::format("unknown ({:#x})", magic), true};
}

Result<Filesystem> filesystem_of(const fs::path& path) {
  std::error_code code;
  fs::path there = fs::absolute(path, code);
  struct statfs info = {};
  while (::statfs(there.c_str(), &info) != 0) {
    const int reason = errno;
    if (reason != ENOENT || there == there.parent_path())
      return fail_environment(path.string(),
                              fmt::format("its filesystem does not answer: {}", std::strerror(reason)),
                              "choose another workspace with -w DIR");
    there = there.parent_path();
  }
  struct stat status = {};
  const bool known_device = ::stat(there.c_str(), &status) == 0;
  // f_type is signed on some machines: CIFS's number would be negative.
  const auto magic = static_cast<unsigned long>(info.f_type) & 0xFFFFFFFFUL;
  return filesystem_called(magic, known_device ? mounted_type(status.st_dev) : std::string());
}

}  // namespace shakedown
