#include "suites/io500/reference/file.hpp"

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <array>
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

Result<std::string> network_file_system(const std::string& path) {
  constexpr std::array<std::pair<std::uint32_t, const char*>, 18> known = {{{0x6969, "NFS"},
                                                                            {0x0BD00BD0, "Lustre"},
                                                                            {0x47504653, "GPFS"},
                                                                            {0x19830326, "BeeGFS"},
                                                                            {0x00C36400, "CephFS"},
                                                                            {0x65735546, "FUSE"},
                                                                            {0xFF534D42, "CIFS"},
                                                                            {0xFE534D42, "SMB2"},
                                                                            {0x517B, "SMB"},
                                                                            {0x5346414F, "AFS"},
                                                                            {0x73757245, "Coda"},
                                                                            {0x01021997, "9P"},
                                                                            {0x564C, "NCP"},
                                                                            {0x20030528, "OrangeFS"},
                                                                            {0xAAD7AAEA, "PanFS"},
                                                                            {0x01161970, "GFS2"},
                                                                            {0x7461636F, "OCFS2"},
                                                                            {0x6B414653, "kAFS"}}};
  struct statfs found {};
  if (statfs(path.c_str(), &found) != 0) return tl::unexpected(system_text("can't ask what holds " + path));
  for (const auto& [magic, name] : known)
    if (static_cast<std::uint32_t>(found.f_type) == magic) return std::string(name);
  return std::string();
}

Result<Space> free_space(const std::string& path) {
  struct statvfs found {};
  if (statvfs(path.c_str(), &found) != 0)
    return tl::unexpected(system_text("can't ask how much is free on " + path));
  return Space{static_cast<std::int64_t>(found.f_bavail) * static_cast<std::int64_t>(found.f_frsize),
               static_cast<std::int64_t>(found.f_favail)};
}

}  // namespace io500
