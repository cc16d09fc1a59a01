#include "suites/io500/reference/file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace io500 {
namespace {

constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr mode_t folder_mode = 0700;
constexpr mode_t file_mode = 0664;

}  // namespace

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

bool File::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  return descriptor < 0 || ::close(descriptor) == 0;
}

Result<File> opened(const File& folder, const std::string& name, int flags) {
  const int descriptor = openat(folder.descriptor(), name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, file_mode);
  if (descriptor < 0) return tl::unexpected(system_text("can't open " + name));
  return File(descriptor);
}

Result<File> opened_folder(const std::string& path) {
  const int descriptor = open(path.c_str(), folder_flags);
  if (descriptor < 0) return tl::unexpected(system_text("can't open the directory " + path));
  return File(descriptor);
}

Result<File> opened_folder(const File& folder, const std::string& name) {
  const int descriptor = openat(folder.descriptor(), name.c_str(), folder_flags | O_NOFOLLOW);
  if (descriptor < 0) return tl::unexpected(system_text("can't open the directory " + name));
  return File(descriptor);
}

Result<File> made_folder(const File& folder, const std::string& name) {
  if (mkdirat(folder.descriptor(), name.c_str(), folder_mode) != 0 && errno != EEXIST)
    return tl::unexpected(system_text("can't make the directory " + name));
  return opened_folder(folder, name);
}

bool write_all(const File& file, const std::byte* from, std::size_t bytes, std::int64_t offset) {
  while (bytes > 0) {
    const ssize_t done = pwrite(file.descriptor(), from, bytes, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from += done;
    bytes -= static_cast<std::size_t>(done);
    offset += done;
  }
  return true;
}

bool read_all(const File& file, std::byte* to, std::size_t bytes, std::int64_t offset) {
  while (bytes > 0) {
    const ssize_t done = pread(file.descriptor(), to, bytes, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = 0;
    if (done <= 0) return false;
    to += done;
    bytes -= static_cast<std::size_t>(done);
    offset += done;
  }
  return true;
}

}  // namespace io500
