#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

namespace fs = std::filesystem;

/// The whole content of a regular file. Fails (environment) with the system's reason; a folder is a failure.
Result<std::string> file_content(const fs::path& path);

/// The first or the last `bytes` of a regular file, or all of a shorter one. A link is a failure.
Result<std::string> file_head(const fs::path& path, size_t bytes);
Result<std::string> file_tail(const fs::path& path, size_t bytes);

/// Whether a written file must survive a power loss or only the death of this process.
enum class Durability { process, power_loss };

/// Writes `content` so that a reader sees either the old file or the whole new one (temporary, rename).
/// A link is replaced; where a pipe or a device stands, be it behind a link, nothing is written: a failure.
/// With `power_loss` file and folder are synced before it returns.
Result<void> write_file(const fs::path& path, std::string_view content,
                        Durability durability = Durability::process);

/// Copies a regular file, sharing its blocks where the filesystem can (reflink); a later change of either
/// leaves the other alone. Synced before it returns. `to` must not exist; a failed copy leaves nothing.
Result<void> copy_file(const fs::path& from, const fs::path& to);

/// Syncs a folder, so that the names in it survive a power loss.
Result<void> sync_folder(const fs::path& path);

/// Makes a folder and its parents; fails with the system's reason.
Result<void> make_folder(const fs::path& path);

}  // namespace shakedown
