#include "suites/io500/reference/walk.hpp"

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace io500 {
namespace {

/// As the kernel lays out an entry. Source: getdents64(2).
struct Header {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  unsigned char type;
};
constexpr std::size_t name_at = 19;

bool is_dots(const char* name) {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

}  // namespace

Result<void> for_entries(const File& folder, const std::function<bool(const Entry&)>& each) {
  // Eight times what readdir(3) asks for at once.
  constexpr std::size_t bytes = std::size_t{1} << 18U;
  std::vector<char> buffer(bytes);
  if (lseek(folder.descriptor(), 0, SEEK_SET) < 0)
    return tl::unexpected(system_text("can't read a directory from its start"));
  for (;;) {
    const long got = syscall(SYS_getdents64, folder.descriptor(), buffer.data(), buffer.size());
    if (got < 0) return tl::unexpected(system_text("can't read a directory"));
    if (got == 0) return {};
    for (long at = 0; at < got;) {
      Header header{};
      std::memcpy(&header, buffer.data() + at, sizeof header.inode + sizeof header.offset + 3);
      const Entry entry{buffer.data() + at + name_at, header.type};
      at += header.length;
      if (!is_dots(entry.name) && !each(entry)) return {};
    }
  }
}

}  // namespace io500
