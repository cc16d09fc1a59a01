#pragma once
#include <filesystem>

namespace shakedown {

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
