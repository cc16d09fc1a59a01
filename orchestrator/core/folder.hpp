#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// The largest file of a folder that is read as a log: 512 MiB. One that is named by itself may have any
/// size.
inline constexpr std::uintmax_t largest_log_in_folder = std::uintmax_t{512} << 20;

/// The regular files below a folder; hidden ones and those of hidden folders are left out.
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
