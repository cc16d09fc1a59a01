#include "orchestrator/core/private_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace shakedown {
namespace {

namespace fs = std::filesystem;

constexpr mode_t of_a_workspace = 0750;

tl::unexpected<Error> failed(const fs::path& path, std::string_view verb) {
  const int code = errno;
  return fail_environment(path.string(), fmt::format("cannot {}: {}", verb, std::strerror(code)),
                          code == ENOSPC ? "free some space there" : "");
}

/// The permissions of a new folder in `parent`.
mode_t permissions_in(const fs::path& parent) {
  struct stat info = {};
  const bool known = ::stat(parent.empty() ? "." : parent.c_str(), &info) == 0;
  const bool shared_by_group = known && (info.st_mode & S_IRWXO) == 0 && (info.st_mode & S_IWGRP) != 0;
  return shared_by_group ? of_a_workspace | S_IWGRP : of_a_workspace;
}

/// Makes one folder. False: its parent is missing.
Result<bool> made(const fs::path& path) {
  if (::mkdir(path.c_str(), permissions_in(path.parent_path())) == 0) return true;
  if (errno == ENOENT) return false;
  struct stat info = {};
  const int code = errno;
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return true;
  errno = code;
  return failed(path, "create the folder");
}

bool write_rest(int fd, std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    rest.remove_prefix(static_cast<size_t>(n));
  }
  return ::fdatasync(fd) == 0;
}

}  // namespace

Result<void> make_private_folder(const fs::path& path) {
  const fs::path whole = path.has_filename() ? path : path.parent_path();
  if (whole.empty()) return {};
  auto there = made(whole);
  if (there && !*there) {
    if (whole.parent_path() == whole || whole.parent_path().empty()) {
      errno = ENOENT;
      return failed(whole, "create the folder");
    }
    if (auto parent = make_private_folder(whole.parent_path()); !parent) {
      parent.error().where = whole.string();
      return parent;
    }
    there = made(whole);
  }
  if (!there) return failure_of(there);
  if (*there) return {};
  errno = ENOENT;
  return failed(whole, "create the folder");
}

Result<void> write_private_file(const fs::path& path, std::string_view content) {
  const fs::path temporary = path.parent_path() / fmt::format(".{}.{}", path.filename().string(), ::getpid());
  ::unlink(temporary.c_str());  // of a process of this number that was killed
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int fd = ::open(temporary.c_str(), flags, S_IRUSR | S_IWUSR);
  if (fd < 0) return failed(path, "create");
  const bool written = write_rest(fd, content);
  const int code = errno;
  ::close(fd);
  errno = code;
  if (written && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
  auto failure = failed(path, written ? "rename into place" : "write");
  ::unlink(temporary.c_str());
  return failure;
}

namespace fs = std::filesystem;

PrivateFolder::PrivateFolder() {
  std::error_code code;
  std::string name = (fs::temp_directory_path(code) / "shakedown-XXXXXX").string();
  if (!code && ::mkdtemp(name.data()) != nullptr) path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code code;
  if (!path_.empty()) fs::remove_all(path_, code);
}

}  // namespace shakedown
