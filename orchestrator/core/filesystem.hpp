#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What holds a path, as far as other hosts are concerned.
struct Filesystem {
  std::string name;  ///< "ext4", "NFS", "fuse.sshfs"; the kernel's own name where the magic number is unknown
  bool shared = true;  ///< other hosts may write there, too; so is taken what nobody knows

  friend bool operator==(const Filesystem&, const Filesystem&) = default;
};

/// The filesystem of a path, or of its nearest ancestor that exists. Fails (environment) where the system
/// does not tell.
///
/// Source: statfs(2); the magic numbers of linux/magic.h, else of coreutils' src/stat.c, OpenZFS's
/// include/sys/zfs_vfsops_os.h.
Result<Filesystem> filesystem_of(const std::filesystem::path& path);

/// What a magic number of statfs(2) says; `type` is the kernel's name for it ("fuse.sshfs"; may be empty).
Filesystem filesystem_called(unsigned long magic, const std::string& type);

}  // namespace shakedown
