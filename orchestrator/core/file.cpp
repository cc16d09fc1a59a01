#include "orchestrator/core/file.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace shakedown {
namespace {

tl::unexpected<Error> system_failure(const fs::path& path, std::string_view verb) {
  const int code = errno;
  return fail_environment(path.string(), fmt::format("cannot {}: {}", verb, std::strerror(code)),
                          code == ENOSPC ? "free some space there" : "");
}

/// A file descriptor that closes itself.
struct Descriptor {
  int fd;
  explicit Descriptor(int value) : fd(value) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

bool write_all(int fd, std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    rest.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace

Result<std::string> file_content(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) return system_failure(path, "open");
  struct stat info = {};
  if (::fstat(file.fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return system_failure(path, "read");
  }
  std::string content;
  if (info.st_size > 0) content.reserve(static_cast<size_t>(info.st_size));
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(file.fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_failure(path, "read");
    if (n == 0) return content;
    content.append(buffer, static_cast<size_t>(n));
  }
}

Result<std::string> file_tail(const fs::path& path, size_t bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) return system_failure(path, "open");
  const off_t size = ::lseek(file.fd, 0, SEEK_END);
  const off_t begin = size > static_cast<off_t>(bytes) ? size - static_cast<off_t>(bytes) : 0;
  std::string tail(static_cast<size_t>(size > 0 ? size - begin : 0), '\0');
  const ssize_t n = ::pread(file.fd, tail.data(), tail.size(), begin);
  if (n < 0) return system_failure(path, "read");
  tail.resize(static_cast<size_t>(n));
  return tail;
}

Result<void> write_file(const fs::path& path, std::string_view content, Durability durability) {
  struct stat target = {};
  if (::stat(path.c_str(), &target) == 0 && !S_ISREG(target.st_mode) && !S_ISDIR(target.st_mode)) {
    const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));  // /dev/stdout, a pipe: not replaced
    if (device.fd < 0 || !write_all(device.fd, content)) return system_failure(path, "write");
    return {};
  }
  const fs::path temporary = path.string() + fmt::format(".tmp{}", ::getpid());
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.fd < 0) return system_failure(path, "create");
    const bool synced =
        write_all(file.fd, content) && (durability == Durability::process || ::fdatasync(file.fd) == 0);
    if (!synced) {
      auto failure = system_failure(path, "write");
      ::unlink(temporary.c_str());
      return failure;
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    auto failure = system_failure(path, "rename into place");
    ::unlink(temporary.c_str());
    return failure;
  }
  if (durability == Durability::power_loss)
    return sync_folder(path.has_parent_path() ? path.parent_path() : fs::path("."));
  return {};
}

Result<void> copy_file(const fs::path& from, const fs::path& to) {
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.fd < 0) return system_failure(from, "open");
  const Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (target.fd < 0) return system_failure(to, "create");
  const auto failure = [&](const fs::path& path, std::string_view verb) {
    auto error = system_failure(path, verb);
    ::unlink(to.c_str());
    return error;
  };
  if (::ioctl(target.fd, FICLONE, source.fd) != 0) {
    std::string buffer(size_t{1} << 20, '\0');
    while (true) {
      const ssize_t n = ::read(source.fd, buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return failure(from, "read");
      if (n == 0) break;
      if (!write_all(target.fd, std::string_view(buffer).substr(0, static_cast<size_t>(n))))
        return failure(to, "write");
    }
  }
  if (::fdatasync(target.fd) != 0) return failure(to, "write");
  return {};
}

Result<void> sync_folder(const fs::path& path) {
  const Descriptor handle(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.fd < 0 || ::fsync(handle.fd) != 0) return system_failure(path, "sync");
  return {};
}

Result<void> make_folder(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code)
    return fail_environment(path.string(), fmt::format("cannot create the folder: {}", code.message()),
                            code == std::errc::no_space_on_device ? "free some space there" : "");
  return {};
}

}  // namespace shakedown
