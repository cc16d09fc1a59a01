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
