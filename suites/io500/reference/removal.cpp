#include "suites/io500/reference/removal.hpp"

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "suites/io500/reference/pattern.hpp"

namespace io500 {
namespace {

using Patterns = std::vector<std::string_view>;

/// What the patterns want below an entry of this name; `file`: the entry itself is a data file.
struct Below {
  Patterns rest;
  bool file = false;
};
Below below(const Patterns& patterns, std::string_view name) {
  Below found;
  for (const std::string_view pattern : patterns) {
    const size_t slash = pattern.find('/');
    if (!matches(pattern.substr(0, slash), name)) continue;
    if (slash == std::string_view::npos)
      found.file = true;
    else
      found.rest.push_back(pattern.substr(slash + 1));
  }
  return found;
}

struct Removal {
  std::string left;

  void keep(const std::string& path, const std::string& why) {
    if (left.empty()) left = path + " is left: " + why;
  }

  /// Scans a directory once; true if it removed something.
  bool pass(const File& folder, const std::string& path, const Patterns& patterns, bool top) {
    bool any = false;
    const auto read = for_entries(folder, [&](const Entry& entry) {
      const std::string name = entry.name;
      const Below wanted = below(patterns, name);
      if (wanted.file && unlinkat(folder.descriptor(), entry.name, 0) == 0)
        any = true;
      else if (!wanted.rest.empty())
        any = branch(folder, path, name, wanted.rest, top) || any;
      return true;
    });
    if (!read) keep(path, read.error());
    return any;
  }

  bool branch(const File& folder, const std::string& path, const std::string& name, const Patterns& patterns,
              bool top) {
    const auto inner = opened_folder(folder, name);
    if (!inner) return false;
    clear(*inner, path + "/" + name, patterns, false);
    return !top && unlinkat(folder.descriptor(), name.c_str(), AT_REMOVEDIR) == 0;
  }

  /// Scans until nothing more is found: entries that vanish may make a scan miss others.
  void clear(const File& folder, const std::string& path, const Patterns& patterns, bool top) {
    while (pass(folder, path, patterns, top)) {
    }
    const auto read = for_entries(folder, [&](const Entry& entry) {
      const bool expected =
          top && (std::string_view(entry.name) == marker_name || !below(patterns, entry.name).rest.empty());
      if (!expected) keep(path + "/" + entry.name, "this program did not make it, or may not remove it");
      return expected;
    });
    if (!read) keep(path, read.error());
  }
};

}  // namespace

std::string remove_data(const File& folder, const std::string& path) {
  Removal removal;
  removal.clear(folder, path, Patterns(data_files.begin(), data_files.end()), true);
  return removal.left;
}

void remove_empty(const std::vector<std::string>& paths) {
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) rmdir(path->c_str());
}

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
