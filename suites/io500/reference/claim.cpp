#include "suites/io500/reference/claim.hpp"

#include <dirent.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "suites/io500/reference/file.hpp"
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

constexpr std::string_view title = "shakedown IO500 reference: data files of a run";
constexpr useconds_t pause_us = 20000;

bool exists(const std::string& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0;
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string marker_path(const std::string& folder) {
  return folder + "/" + marker_name;
}

std::string marker_text(const Claim& claim) {
  std::string out =
      text("%s\nhost %s\nprocess %d\n", std::string(title).c_str(), claim.host.c_str(), claim.process);
  for (const std::string& parent : claim.parents) out += "made " + parent + "\n";
  for (const std::string& name : claim.made) out += "made " + name + "\n";
  return out;
}

/// Why the directory may not be used; empty: it may.
std::string occupied(const File& folder, const std::string& path) {
  std::string foreign;
  const auto ok = for_entries(folder, [&](const Entry& entry) {
    foreign = entry.name;
    if (std::find(data_folders.begin(), data_folders.end(), entry.name) == data_folders.end()) return false;
    const auto below = opened_folder(folder, entry.name);
    if (!below) return false;
    std::string inside;
    const auto read = for_entries(*below, [&](const Entry& inner) {
      inside = std::string(entry.name) + "/" + inner.name;
      return false;
    });
    if (read) foreign = inside;
    return foreign.empty();
  });
  if (!ok) return path + ": " + ok.error();
  if (foreign.empty()) return {};
  return text("the data directory %s holds %s: it must be empty or not there, as no file may be from before",
              path.c_str(), foreign.c_str());
}

/// Whether all ranks of the claim have let its marker go. `lock`: the opened marker.
bool is_free(const File& lock, const Claim& claim) {
  if (flock(lock.descriptor(), LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  return kill(claim.process, 0) != 0;  // the file system has no locks
}

/// Whether the opened marker is still the one in the directory: whoever removes the files removes it.
bool is_named(const File& folder, const File& marker) {
  struct stat named {};
  struct stat open {};
  return fstatat(folder.descriptor(), marker_name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         fstat(marker.descriptor(), &open) == 0 && named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

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
    // ENOENT: it was removed after it was opened, and is empty.
    if (got == 0 || (got < 0 && errno == ENOENT)) return {};
    if (got < 0) return tl::unexpected(system_text("can't read a directory"));
    for (long at = 0; at < got;) {
      Header header{};
      std::memcpy(&header, buffer.data() + at, sizeof header.inode + sizeof header.offset + 3);
      const Entry entry{buffer.data() + at + name_at, header.type};
      at += header.length;
      if (!is_dots(entry.name) && !each(entry)) return {};
    }
  }
}

Result<std::string> absolute_path(const std::string& path) {
  std::string there = path;
  std::string rest;
  while (!there.empty() && !exists(there)) {
    const size_t slash = there.find_last_of('/');
    const std::string last = slash == std::string::npos ? there : there.substr(slash + 1);
    if (last == ".." || last == ".")
      return tl::unexpected(
          text("the path %s has '%s' behind a directory that does not exist", path.c_str(), last.c_str()));
    if (!last.empty()) rest.insert(0, "/" + last);
    there = slash == std::string::npos ? "." : slash == 0 ? "/" : there.substr(0, slash);
  }
  std::array<char, PATH_MAX> whole{};
  if (realpath(there.c_str(), whole.data()) == nullptr)
    return tl::unexpected(system_text("can't find " + there));
  std::string found = whole.data();
  if (found == "/" && !rest.empty()) found.clear();
  return found + rest;
}

Result<Claim> planned_claim(const std::string& folder, bool network) {
  const auto whole = absolute_path(folder);
  if (!whole) return tl::unexpected(whole.error());
  Claim claim;
  claim.folder = *whole;
  claim.host = host_name();
  claim.process = static_cast<int>(getpid());
  std::string there = claim.folder;
  while (!exists(there)) {
    claim.parents.insert(claim.parents.begin(), there);
    const size_t slash = there.find_last_of('/');
    there = slash == 0 ? "/" : there.substr(0, slash);
  }
  const auto kind = network_file_system(there);
  if (!kind) return tl::unexpected(kind.error());
  if (!kind->empty() && !network)
    return tl::unexpected(text("%s is on a network file system (%s): name it as --io-dir where that is meant",
                               claim.folder.c_str(), kind->c_str()));
  if (!claim.parents.empty()) {
    claim.made.assign(data_folders.begin(), data_folders.end());
    return claim;
  }
  const auto opened = opened_folder(claim.folder);
  if (!opened) return tl::unexpected(opened.error());
  if (std::string why = occupied(*opened, claim.folder); !why.empty()) return tl::unexpected(std::move(why));
  for (const std::string_view name : data_folders)
    if (!exists(claim.folder + "/" + std::string(name))) claim.made.emplace_back(name);
  return claim;
}

Result<void> staked(const Claim& claim) {
  for (const std::string& parent : claim.parents)
    if (mkdir(parent.c_str(), 0700) != 0 && errno != EEXIST)
      return tl::unexpected(system_text("can't make the directory " + parent));
  const auto folder = opened_folder(claim.folder);
  if (!folder) return tl::unexpected(folder.error());
  auto marker = opened(*folder, marker_name, O_CREAT | O_EXCL | O_WRONLY);
  if (!marker) return tl::unexpected(claim.folder + ": " + marker.error());
  const std::string content = marker_text(claim);
  const auto* bytes = reinterpret_cast<const std::byte*>(content.data());
  if (!write_all(*marker, bytes, content.size(), 0) || fsync(marker->descriptor()) != 0 || !marker->close())
    return tl::unexpected(system_text("can't write " + marker_path(claim.folder)));
  for (const std::string_view name : data_folders)
    if (auto made = made_folder(*folder, std::string(name)); !made) return tl::unexpected(made.error());
  return {};
}

Result<File> held(const Claim& claim) {
  const auto folder = opened_folder(claim.folder);
  if (!folder) return tl::unexpected(folder.error());
  auto marker = opened(*folder, marker_name, O_RDONLY);
  if (!marker) return tl::unexpected(claim.folder + ": " + marker.error());
  if (flock(marker->descriptor(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return tl::unexpected("the files in " + claim.folder + " are just being removed");
  return marker;
}

Leftover removed(const Claim& claim, double wait_s) {
  const auto folder = opened_folder(claim.folder);
  if (!folder) {
    remove_empty(claim.parents);
    return {false, false, exists(claim.folder) ? folder.error() : std::string()};
  }
  const auto marker = opened(*folder, marker_name, O_RDONLY);
  if (marker) {
    // A marker that was cut while it was written is the claim's own.
    const auto found = marked(claim.folder);
    if (found && (found->process != claim.process || found->host != claim.host)) return {false, true, {}};
    for (double waited = 0; !is_free(*marker, claim); waited += pause_us * 1e-6) {
      if (waited >= wait_s)
        return {true, false,
                text("process %d on %s still writes to %s", claim.process, claim.host.c_str(),
                     claim.folder.c_str())};
      usleep(pause_us);
    }
    if (!is_named(*folder, *marker)) return {false, true, {}};
  }
  std::string left = remove_data(*folder, claim.folder);
  for (const std::string& name : claim.made) unlinkat(folder->descriptor(), name.c_str(), AT_REMOVEDIR);
  if (left.empty()) unlinkat(folder->descriptor(), marker_name, 0);
  if (left.empty()) remove_empty(claim.parents);
  return {false, false, std::move(left)};
}

Result<Claim> marked(const std::string& folder) {
  const auto opened_ = opened_folder(folder);
  if (!opened_) return tl::unexpected(opened_.error());
  const auto marker = opened(*opened_, marker_name, O_RDONLY);
  if (!marker) return tl::unexpected(marker.error());
  std::string content(std::size_t{1} << 16U, '\0');
  const ssize_t bytes = read(marker->descriptor(), content.data(), content.size());
  if (bytes < 0) return tl::unexpected(system_text("can't read " + marker_path(folder)));
  content.resize(static_cast<size_t>(bytes));
  const std::string foreign = marker_path(folder) + " is no marker of this program";
  if (!content.starts_with(title)) return tl::unexpected(foreign);
  const auto whole = absolute_path(folder);
  if (!whole) return tl::unexpected(whole.error());
  Claim claim;
  claim.folder = *whole;
  for (std::string_view rest = content; !rest.empty();) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;  // cut while it was written
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (line.starts_with("host ")) claim.host = line.substr(5);
    if (line.starts_with("process ")) claim.process = std::atoi(std::string(line.substr(8)).c_str());
    if (!line.starts_with("made ")) continue;
    const std::string name(line.substr(5));
    // A marker is valid for its own directories only.
    if (std::find(data_folders.begin(), data_folders.end(), name) != data_folders.end())
      claim.made.push_back(name);
    else if (name == claim.folder || (name.size() > 1 && claim.folder.starts_with(name + "/")))
      claim.parents.push_back(name);
  }
  return claim;
}

Recovery recovered(const std::string& folder, bool any_host) {
  constexpr double patience_s = 30;
  Recovery recovery;
  std::vector<std::string> candidates = {folder};
  if (const auto opened_ = opened_folder(folder)) {
    const auto listed = for_entries(*opened_, [&](const Entry& entry) {
      if (entry.name[0] != '.') candidates.push_back(folder + "/" + entry.name);
      return true;
    });
    if (!listed) recovery.left.push_back(folder + ": " + listed.error());
  }
  std::reverse(candidates.begin(), candidates.end());
  for (const std::string& candidate : candidates) {
    const auto claim = marked(candidate);
    if (!claim) continue;
    if (claim->host != host_name() && !any_host) {
      recovery.left.push_back(
          text("%s holds the files of process %d on %s: once that is over, --clean removes them",
               candidate.c_str(), claim->process, claim->host.c_str()));
      continue;
    }
    const Leftover leftover = removed(*claim, candidate == folder ? patience_s : 0);
    if (leftover.by_another) continue;
    if (leftover.words.empty())
      recovery.removed.push_back(text("removed the files that process %d on %s had left in %s",
                                      claim->process, claim->host.c_str(), candidate.c_str()));
    else if (!leftover.in_use || candidate == folder)
      recovery.left.push_back(leftover.words);
  }
  return recovery;
}

}  // namespace io500
