#include "orchestrator/core/filesystem.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

struct Known {
  unsigned long magic = 0;
  std::string_view name;
  bool shared = true;
};

/// WekaFS, IBM Storage Scale's newer names, DAOS and the like are not here: what is unknown is shared.
constexpr std::array known = {
    // Of one host. Overlays lie on a local disk: the kernel accepts no network filesystem without xattrs and
    // d_type as their upper layer.
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

namespace {

/// One walk below a folder.
class Walk {
 public:
  Walk(const fs::path& top, FolderFiles& found) : top_(top), found_(found) {}

  /// Links to folders are not followed: they may lead in a circle.
  void list(const fs::path& folder) {
    std::vector<std::string> files;
    std::vector<fs::path> folders;
    std::error_code code;
    auto it = fs::directory_iterator(folder, code);
    for (; !code && it != fs::directory_iterator(); it.increment(code)) {
      if (it->path().filename().string().starts_with('.')) continue;
      std::error_code vanished;
      if (it->is_directory(vanished) && !it->is_symlink(vanished))
        folders.push_back(it->path());
      else if (is_log(*it))
        files.push_back(it->path().string());
    }
    if (code)
      found_.unreadable.push_back({folder.string(),
                                   fmt::format("the folder cannot be read: {}", code.message()), "",
                                   Fault::environment});
    std::sort(files.begin(), files.end());
    std::move(files.begin(), files.end(), std::back_inserter(found_.files));
    std::sort(folders.begin(), folders.end());
    for (const fs::path& each : folders) list(each);
  }

 private:
  void refuse(const fs::path& path, std::string what, std::string hint = {}) {
    found_.refused.push_back({path.string(), std::move(what), std::move(hint), Fault::input});
  }

  bool is_log(const fs::directory_entry& entry) {
    std::error_code code;
    if (entry.is_symlink(code) && leads_out(entry.path(), top_)) {
      refuse(entry.path(), "is a link that leads out of the folder, or to nothing: it is not followed",
             "name the file itself");
      return false;
    }
    if (const std::string_view kind = special_file(entry.path()); !kind.empty())
      refuse(entry.path(), fmt::format("is {}: only regular files are read", kind));
    if (!entry.is_regular_file(code)) return false;
    const std::uintmax_t bytes = entry.file_size(code);
    if (code || bytes <= largest_log_in_folder) return true;
    refuse(entry.path(),
           fmt::format("has {}: in a folder, files of at most {} are read",
                       bytes_text(static_cast<double>(bytes)),
                       bytes_text(static_cast<double>(largest_log_in_folder))),
           "name the file itself to read it");
    return false;
  }

  const fs::path& top_;
  FolderFiles& found_;
};

}  // namespace

FolderFiles files_below(const fs::path& folder) {
  FolderFiles found;
  Walk(folder, found).list(folder);
  return found;
}

bool leads_out(const fs::path& path, const fs::path& folder) {
  std::error_code code;
  if (!fs::is_symlink(path, code)) return false;
  const fs::path target = fs::canonical(path, code);
  if (code) return true;
  const fs::path whole = fs::canonical(folder, code);
  if (code) return true;
  const auto [end, rest] = std::mismatch(whole.begin(), whole.end(), target.begin(), target.end());
  return end != whole.end();
}

}  // namespace shakedown
