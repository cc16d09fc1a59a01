#pragma once
#include <fcntl.h>
#include <cstddef>
#include <cstdint>
#include <string>

#include "suites/io500/reference/text.hpp"

namespace io500 {

/// An open file or directory; closed with this.
class File {
 public:
  File() = default;
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() { close(); }
  File(File&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  File& operator=(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// False where close(2) fails: the system may report a failed write only then.
  bool close();

 private:
  int descriptor_ = -1;
};

/// Opens `name` below the directory. Links are not followed: what lies behind one may be outside.
Result<File> opened(const File& folder, const std::string& name, int flags);
/// A directory by its path, or below another one.
Result<File> opened_folder(const std::string& path);
Result<File> opened_folder(const File& folder, const std::string& name);

/// Makes and opens a directory below another one; one that is there already is as good.
Result<File> made_folder(const File& folder, const std::string& name);

/// All `bytes` at `offset`. False with errno set; 0 at the end of the file.
bool write_all(const File& file, const std::byte* from, std::size_t bytes, std::int64_t offset);
bool read_all(const File& file, std::byte* to, std::size_t bytes, std::int64_t offset);

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
