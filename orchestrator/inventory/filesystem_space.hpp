#pragma once
#include <cstdint>
#include <filesystem>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/mounts.hpp"

namespace shakedown {

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
