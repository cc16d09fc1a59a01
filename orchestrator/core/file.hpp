#pragma once
#include <cstddef>
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
/// A link is replaced. Fails, and writes nothing, if `path` is a pipe or a device, directly or by a link.
/// With `power_loss` file and folder are synced before it returns.
Result<void> write_file(const fs::path& path, std::string_view content,
                        Durability durability = Durability::process);

/// Copies a regular file, sharing its blocks where the filesystem can (reflink); a later change of either
/// does not change the other. Synced before it returns. `to` must not exist; a failed copy is removed.
Result<void> copy_file(const fs::path& from, const fs::path& to);

/// Syncs a folder, so that the names in it survive a power loss.
Result<void> sync_folder(const fs::path& path);

/// Makes a folder and its parents; fails with the system's reason.
Result<void> make_folder(const fs::path& path);

/// The largest file that `file_content` reads: 256 MiB.
inline constexpr std::size_t largest_content = std::size_t{256} << 20;

/// As `file_content`, for at most `most` bytes. Both fail (environment) with the system's reason, and, at
/// once and unread, for anything else that may lie in a folder of others: a folder, a pipe, a device, a
/// socket, a larger file (input).
Result<std::string> file_content_within(const fs::path& path, std::size_t most);

/// The most that is read of a pipe or a device, whose size nobody knows before: 64 MiB.
inline constexpr std::size_t largest_stream = std::size_t{64} << 20;

/// As `file_content`, for what the user named: a pipe that somebody writes to (`<(command)`) and a device are
/// read too, up to `largest_stream`.
Result<std::string> named_file_content(const fs::path& path);

/// As `write_file`, for a path that the user named: a pipe and a device (/dev/stdout) are written to, also
/// through a link.
Result<void> write_named_file(const fs::path& path, std::string_view content);

/// The kind of a `path` that is neither a regular file nor a folder: "a pipe", "a device", "a socket"; empty
/// otherwise. Links are followed.
std::string_view special_file(const fs::path& path);

/// Makes a folder and its parents as those of a workspace are: 0750, where the user's umask does not take
/// more away. In a folder that is closed to others and whose group may write, so may the group here. Folders
/// that are there stay as they are. Fails with the system's reason.
Result<void> make_private_folder(const std::filesystem::path& path);

/// Writes a file that its owner alone can read, mode 0600 from its first byte: a reader sees the old file or
/// the whole new one. Synced, for `power_loss`. Fails (environment) with the system's reason.
Result<void> write_private_file(const std::filesystem::path& path, std::string_view content,
                                Durability durability = Durability::power_loss);

/// A new folder below TMPDIR that this user alone may enter (mode 0700), for as long as the object lives. It
/// is taken away with what is in it.
class PrivateFolder {
 public:
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  /// Empty: it can't be made.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace shakedown
