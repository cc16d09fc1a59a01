#pragma once
#include <sys/statvfs.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The system's statvfs, or a stand-in for it.
using StatFilesystem = std::function<int(const char* path, struct statvfs* space)>;

struct FoundMounts {
  std::vector<Mount> mounts;
  std::vector<std::string> notes;  ///< which did not answer
};

/// The filesystems of `root`/proc/self/mountinfo that can hold data: disks, network filesystems, the root,
/// /dev/shm and /tmp; each device once. A network filesystem whose server is silent for `patience_s` is
/// listed without sizes, and a note says so.
FoundMounts read_mounts(const std::filesystem::path& root, const StatFilesystem& stat_filesystem = ::statvfs,
                        double patience_s = 2);

}  // namespace shakedown
