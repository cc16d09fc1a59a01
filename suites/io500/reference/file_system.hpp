#pragma once

#include <cstdint>
#include <string>

#include "suites/io500/reference/text.hpp"

namespace io500 {

/// The name of the network or user-space file system that `path` lies on, empty for a local one. `path` must
/// exist. Source: statfs(2) and the file systems' own headers.
Result<std::string> network_file_system(const std::string& path);

/// What one user may still take.
struct Space {
  std::int64_t bytes = 0;
  std::int64_t inodes = 0;  ///< 0: the file system does not count them
};
Result<Space> free_space(const std::string& path);

}  // namespace io500
