#include "orchestrator/core/file.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "orchestrator/core/units.hpp"

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

std::string_view special_kind(const struct stat& info) {
  if (S_ISFIFO(info.st_mode)) return "a pipe";
  if (S_ISSOCK(info.st_mode)) return "a socket";
  if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) return "a device";
  return "";
}

tl::unexpected<Error> too_large(const fs::path& path, std::size_t most) {
  return fail(path.string(), fmt::format("is larger than {}, the most that is read of such a file",
                                         bytes_text(static_cast<double>(most))));
}

/// Whether there is more to read from a descriptor that does not block, after it had nothing.
bool waited_for_more(int fd) {
  pollfd more{fd, POLLIN, 0};
  return ::poll(&more, 1, -1) >= 0 || errno == EINTR;
}

/// Opened without waiting: a pipe without a writer must not hold us.
Result<std::string> content_of(const fs::path& path, std::size_t most, bool regular_only) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat info = {};
  if (file.fd < 0 && errno != ENOENT && ::stat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode))
    return fail_environment(path.string(), "is a socket, not a regular file");
  if (file.fd < 0) return system_failure(path, "open");
  if (::fstat(file.fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return system_failure(path, "read");
  }
  if (const std::string_view kind = special_kind(info); regular_only && !kind.empty())
    return fail_environment(path.string(), fmt::format("is {}, not a regular file", kind));
  if (info.st_size > 0 && static_cast<std::uint64_t>(info.st_size) > most) return too_large(path, most);
  if (!S_ISREG(info.st_mode)) most = std::min(most, largest_stream);
  std::string content;
  if (info.st_size > 0) content.reserve(static_cast<size_t>(info.st_size));
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(file.fd, buffer, sizeof buffer);
    if (n < 0 && (errno == EINTR || (errno == EAGAIN && waited_for_more(file.fd)))) continue;
    if (n < 0) return system_failure(path, "read");
    if (n == 0 && content.empty() && S_ISFIFO(info.st_mode))
      return fail_environment(path.string(), "is a pipe without a writer");
    if (n == 0) return content;
    if (content.size() + static_cast<size_t>(n) > most) return too_large(path, most);
    content.append(buffer, static_cast<size_t>(n));
    // All of the file as it was when it was opened: its end is not asked for.
    if (S_ISREG(info.st_mode) && info.st_size > 0 && content.size() == static_cast<size_t>(info.st_size))
      return content;
  }
}

/// The first or the last bytes of a file. What is quoted of a folder of others is that folder's own: no link.
Result<std::string> piece_of(const fs::path& path, size_t bytes, bool from_end) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  if (file.fd < 0) return system_failure(path, "open");
  struct stat info = {};
  if (::fstat(file.fd, &info) != 0 || !S_ISREG(info.st_mode))
    return fail_environment(path.string(), "is not a regular file");
  const auto size = static_cast<size_t>(info.st_size);
  std::string piece(std::min(size, bytes), '\0');
  const ssize_t n =
      ::pread(file.fd, piece.data(), piece.size(), from_end ? static_cast<off_t>(size - piece.size()) : 0);
  if (n < 0) return system_failure(path, "read");
  piece.resize(static_cast<size_t>(n));
  return piece;
}

/// A new file beside `path`, and its name. A file that already has the name (of an earlier process with the
/// same pid, or planted) is removed, never opened.
std::pair<int, fs::path> new_file_beside(const fs::path& path) {
  constexpr int most_names = 16;
  fs::path name;
  for (int i = 0; i < most_names; ++i) {
    name = path.string() + fmt::format(".tmp{}{}", ::getpid(), i == 0 ? "" : fmt::format("-{}", i));
    for (int tries = 0; tries < 2; ++tries) {
      const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (fd >= 0 || errno != EEXIST) return {fd, name};
      ::unlink(name.c_str());
    }
  }
  errno = EEXIST;
  return {-1, name};
}

constexpr mode_t of_a_workspace = 0750;

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
  return system_failure(path, "create the folder");
}

}  // namespace

Result<std::string> file_content(const fs::path& path) {
  return content_of(path, largest_content, /*regular_only=*/true);
}

Result<std::string> file_content_within(const fs::path& path, std::size_t most) {
  return content_of(path, most, /*regular_only=*/true);
}

Result<std::string> named_file_content(const fs::path& path) {
  auto content = content_of(path, largest_content, /*regular_only=*/false);
  if (!content) content.error().fault = Fault::input;
  return content;
}

std::string_view special_file(const fs::path& path) {
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0 ? special_kind(info) : std::string_view();
}

Result<std::string> file_head(const fs::path& path, size_t bytes) {
  return piece_of(path, bytes, /*from_end=*/false);
}

Result<std::string> file_tail(const fs::path& path, size_t bytes) {
  return piece_of(path, bytes, /*from_end=*/true);
}

Result<void> write_named_file(const fs::path& path, std::string_view content) {
  if (special_file(path).empty()) return write_file(path, content);
  // Not replaced; a pipe that nobody reads is a failure.
  const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  const bool waits = device.fd >= 0 && ::fcntl(device.fd, F_SETFL, 0) == 0;
  if (!waits || !write_all(device.fd, content)) return system_failure(path, "write");
  return {};
}

Result<void> write_file(const fs::path& path, std::string_view content, Durability durability) {
  // Planted, perhaps as a link: neither written to, nor replaced, as /dev/null could be.
  if (const std::string_view kind = special_file(path); !kind.empty())
    return fail_environment(path.string(), fmt::format("is {}, not a regular file", kind), "remove it");
  const auto [descriptor, temporary] = new_file_beside(path);
  {
    const Descriptor file(descriptor);
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
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (source.fd < 0) return system_failure(from, "open");
  struct stat info = {};
  if (::fstat(source.fd, &info) != 0 || !S_ISREG(info.st_mode))
    return fail_environment(from.string(), "is not a regular file");
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

Result<void> make_private_folder(const fs::path& path) {
  const fs::path whole = path.has_filename() ? path : path.parent_path();
  if (whole.empty()) return {};
  auto there = made(whole);
  if (there && !*there) {
    if (whole.parent_path() == whole || whole.parent_path().empty()) {
      errno = ENOENT;
      return system_failure(whole, "create the folder");
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
  return system_failure(whole, "create the folder");
}

Result<void> write_private_file(const fs::path& path, std::string_view content, Durability durability) {
  const fs::path temporary = path.parent_path() / fmt::format(".{}.{}", path.filename().string(), ::getpid());
  ::unlink(temporary.c_str());  // of a process of this number that was killed
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int fd = ::open(temporary.c_str(), flags, S_IRUSR | S_IWUSR);
  if (fd < 0) return system_failure(path, "create");
  const bool written = write_all(fd, content) && (durability == Durability::process || ::fdatasync(fd) == 0);
  const int code = errno;
  ::close(fd);
  errno = code;
  if (written && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
  auto failure = system_failure(path, written ? "rename into place" : "write");
  ::unlink(temporary.c_str());
  return failure;
}

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
