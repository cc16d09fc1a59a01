#pragma once
#include <sys/statvfs.h>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The system's statvfs, or a replacement of it.
using StatFilesystem = std::function<int(const char* path, struct statvfs* space)>;

struct FoundMounts {
  std::vector<Mount> mounts;
  std::vector<std::string> notes;  ///< which did not answer
};

/// The filesystems of `root`/proc/self/mountinfo that can hold data: disks, network filesystems, the root,
/// /dev/shm and /tmp; each device once. A network filesystem whose server is silent for `patience_s` is
/// listed without sizes, and a note reports that.
FoundMounts read_mounts(const std::filesystem::path& root, const StatFilesystem& stat_filesystem = ::statvfs,
                        double patience_s = 2);

/// One line of /proc/self/mountinfo, octal escapes decoded. Source: proc(5).
struct MountEntry {
  std::string device;         ///< major:minor
  std::string root;           ///< the folder of the filesystem that is mounted
  std::string path;           ///< where
  std::string options;        ///< of this mount: "rw,relatime"
  std::string type;           ///< "ext4"
  std::string source;         ///< "/dev/vda"
  std::string super_options;  ///< of the filesystem
  friend bool operator==(const MountEntry&, const MountEntry&) = default;
};

/// The lines that can be read, in their order.
std::vector<MountEntry> mount_entries(std::string_view mountinfo);

/// Whether a file system of this type ("lustre", "nfs4") is served by other machines.
bool is_network_filesystem(std::string_view type);

/// Whether a comma-separated list of options holds `option`.
bool has_option(std::string_view options, std::string_view option);

/// `path`, an absolute one, below `root`.
std::filesystem::path below(const std::filesystem::path& root, std::string_view path);

struct Space {
  std::int64_t total_bytes = 0;
  std::int64_t free_bytes = 0;  ///< to users other than root
};

/// Asks for the space of a filesystem that answers at once.
Result<Space> local_space(const std::filesystem::path& path, const StatFilesystem& stat_filesystem);

/// Asks in a child process, which is killed after `patience_s`: statvfs on a hard NFS mount waits for ever.
Result<Space> remote_space(const std::filesystem::path& path, const StatFilesystem& stat_filesystem,
                           double patience_s);

}  // namespace shakedown
