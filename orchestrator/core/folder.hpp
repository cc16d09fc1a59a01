#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// The regular files below a folder; hidden ones and those of hidden folders are left out.
struct FolderFiles {
  std::vector<std::string> files;  ///< by name, the files of a folder before those of its subfolders
  std::vector<Error> unreadable;   ///< folders that the system refuses to list, each with its reason
};
FolderFiles files_below(const std::filesystem::path& folder);

}  // namespace shakedown
