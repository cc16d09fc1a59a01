#pragma once
#include <filesystem>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Makes a folder and its parents as those of a workspace are: 0750, where the user's umask does not take
/// more away. In a folder that is closed to others and whose group may write, so may the group here. Folders
/// that are there stay as they are. Fails with the system's reason.
Result<void> make_private_folder(const std::filesystem::path& path);

/// Writes a file that its owner alone can read, mode 0600 from its first byte: a reader sees the old file or
/// the whole new one. Fails (environment) with the system's reason.
Result<void> write_private_file(const std::filesystem::path& path, std::string_view content);

}  // namespace shakedown
