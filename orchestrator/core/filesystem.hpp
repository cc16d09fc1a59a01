#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What holds a path, as far as other hosts are concerned.
struct Filesystem {
  std::string name;  ///< "ext4", "NFS", "fuse.sshfs"; the kernel's own name where the magic number is unknown
  bool shared = true;  ///< other hosts may write there, too; so is taken what nobody knows

  friend bool operator==(const Filesystem&, const Filesystem&) = default;
};

/// The filesystem of a path, or of its nearest ancestor that exists. Fails (environment) if the system does
/// not report it.
///
/// Source: statfs(2); the magic numbers of linux/magic.h, else of coreutils' src/stat.c, OpenZFS's
/// include/sys/zfs_vfsops_os.h.
Result<Filesystem> filesystem_of(const std::filesystem::path& path);

/// The filesystem of a magic number of statfs(2); `type` is the kernel's name for it ("fuse.sshfs"; may be
/// empty).
Filesystem filesystem_called(unsigned long magic, const std::string& type);

/// The largest file of a folder that is read as a log: 512 MiB. One that is named by itself may have any
/// size.
inline constexpr std::uintmax_t largest_log_in_folder = std::uintmax_t{512} << 20;

/// The regular files below a folder; without hidden ones and those of hidden folders.
struct FolderFiles {
  std::vector<std::string> files;  ///< by name, the files of a folder before those of its subfolders
  std::vector<Error> unreadable;   ///< folders that the system refuses to list, each with its reason
  /// What is not read in a folder of others, each with its reason: links that lead out of it or nowhere,
  /// pipes, devices, sockets, files larger than `largest_log_in_folder`.
  std::vector<Error> refused;
};
FolderFiles files_below(const std::filesystem::path& folder);

/// Whether `path` is a symbolic link that leads out of `folder`, or to nothing.
bool leads_out(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace shakedown
