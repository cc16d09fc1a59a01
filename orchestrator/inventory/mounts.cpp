#include "orchestrator/inventory/mounts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

template <class List>
bool among(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// Served by another machine, or by a process that may wait for one.
constexpr std::string_view remote_types[] = {
    "nfs",   "nfs4",   "lustre", "gpfs",     "beegfs",    "ceph", "cifs",     "smb3",    "9p",     "afs",
    "panfs", "wekafs", "pvfs2",  "orangefs", "glusterfs", "daos", "virtiofs", "quobyte", "vastnfs"};
// A disk's types that carry no "/dev/..." as their source.
constexpr std::string_view local_types[] = {"zfs", "btrfs", "bcachefs", "xfs", "ext4", "overlay"};
// In memory, but people store data there.
constexpr std::string_view memory_paths[] = {"/", "/dev/shm", "/tmp", "/var/tmp"};
// Images, not room for data.
constexpr std::string_view image_types[] = {"squashfs", "iso9660", "erofs", "udf", "cramfs"};
constexpr std::string_view desktop_types[] = {"fuse.portal", "fuse.gvfsd-fuse", "fuse.lxcfs", "fuse.snapfuse",
                                              "fuse.squashfuse"};

bool is_remote(const MountEntry& entry) {
  const bool fuse = entry.type.starts_with("fuse.") || entry.type == "fuse";
  return is_network_filesystem(entry.type) || fuse;
}

bool holds_data(const MountEntry& entry) {
  if (among(image_types, entry.type) || among(desktop_types, entry.type)) return false;
  if (entry.type == "tmpfs" || entry.type == "ramfs") return among(memory_paths, entry.path);
  // Each container has an overlay; only the one that we live in is ours.
  if (entry.type == "overlay") return entry.path == "/";
  if (entry.type == "devtmpfs") return false;
  return is_remote(entry) || entry.source.starts_with("/dev/") || among(local_types, entry.type);
}

/// What is visible: a later mount hides an earlier one at its place. Of the mounts of one device the one that
/// shows most of it stays, for the others (bind mounts) are the same space again.
std::vector<MountEntry> visible(const std::vector<MountEntry>& entries, const fs::path& root) {
  std::vector<MountEntry> chosen;
  for (const MountEntry& entry : entries) {
    std::erase_if(chosen, [&](const MountEntry& other) { return other.path == entry.path; });
    chosen.push_back(entry);
  }
  std::erase_if(chosen, [&](const MountEntry& entry) {
    // A file can be mounted too (a container's /etc/hosts). Asking a server here could hang.
    std::error_code error;
    return !holds_data(entry) || (!is_remote(entry) && !fs::is_directory(below(root, entry.path), error));
  });
  std::vector<MountEntry> once;
  for (const MountEntry& entry : chosen) {
    const auto same = std::find_if(once.begin(), once.end(),
                                   [&](const MountEntry& other) { return other.device == entry.device; });
    if (same == once.end())
      once.push_back(entry);
    else if (entry.root.size() < same->root.size())
      *same = entry;
  }
  return once;
}

}  // namespace

FoundMounts read_mounts(const fs::path& root, const StatFilesystem& stat_filesystem, double patience_s) {
  FoundMounts found;
  const auto mountinfo = system_file(root / "proc/self/mountinfo");
  if (!mountinfo) {
    found.notes.emplace_back("the mounted filesystems are not readable");
    return found;
  }
  for (const MountEntry& entry : visible(mount_entries(*mountinfo), root)) {
    Mount mount;
    mount.path = entry.path;
    mount.type = entry.type;
    mount.source = entry.source;
    mount.writable = !has_option(entry.options, "ro") && !has_option(entry.super_options, "ro");
    const fs::path path = below(root, entry.path);
    const auto space = is_remote(entry) ? remote_space(path, stat_filesystem, patience_s)
                                        : local_space(path, stat_filesystem);
    if (space) {
      mount.total_bytes = space->total_bytes;
      mount.free_bytes = space->free_bytes;
    } else {
      found.notes.push_back(fmt::format("{} ({}): {}", entry.path, entry.type, space.error().what));
    }
    found.mounts.push_back(std::move(mount));
  }
  return found;
}

namespace {

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) &&
                        is_octal(text[i + 2]) && is_octal(text[i + 3]);
    if (!escape) {
      plain += text[i];
      continue;
    }
    const int value = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
    plain += static_cast<char>(value);
    i += 3;
  }
  return plain;
}

}  // namespace

std::vector<MountEntry> mount_entries(std::string_view mountinfo) {
  std::vector<MountEntry> entries;
  for (const std::string_view line : split(mountinfo, '\n')) {
    // id parent major:minor root path options [tags...] - type source super-options
    const auto fields = split(line, ' ');
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (dash - fields.begin() < 6 || fields.end() - dash < 4) continue;
    entries.push_back({.device = std::string(fields[2]),
                       .root = unescaped(fields[3]),
                       .path = unescaped(fields[4]),
                       .options = std::string(fields[5]),
                       .type = std::string(dash[1]),
                       .source = unescaped(dash[2]),
                       .super_options = std::string(dash[3])});
  }
  return entries;
}

bool is_network_filesystem(std::string_view type) {
  return among(remote_types, type);
}

bool has_option(std::string_view options, std::string_view option) {
  const auto all = split(options, ',');
  return std::find(all.begin(), all.end(), option) != all.end();
}

std::filesystem::path below(const std::filesystem::path& root, std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  return path.empty() ? root : root / path;
}

namespace {

struct Answer {
  std::int64_t code = 0;  ///< errno, 0: answered; as wide as the rest, so that no padding is piped
  Space space;
};

Answer ask(const std::filesystem::path& path, const StatFilesystem& stat_filesystem) {
  struct statvfs found {};
  if (stat_filesystem(path.c_str(), &found) != 0) return {errno, {}};
  const auto block = static_cast<std::int64_t>(found.f_frsize);
  return {
      0,
      {static_cast<std::int64_t>(found.f_blocks) * block, static_cast<std::int64_t>(found.f_bavail) * block}};
}

Result<Space> result(const std::filesystem::path& path, const Answer& answer) {
  if (answer.code != 0) return fail_environment(path.string(), std::strerror(static_cast<int>(answer.code)));
  return answer.space;
}

}  // namespace

Result<Space> local_space(const std::filesystem::path& path, const StatFilesystem& stat_filesystem) {
  return result(path, ask(path, stat_filesystem));
}

Result<Space> remote_space(const std::filesystem::path& path, const StatFilesystem& stat_filesystem,
                           double patience_s) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail_environment(path.string(), std::strerror(errno));
  const pid_t child = ::fork();
  if (child == 0) {
    const Answer answer = ask(path, stat_filesystem);
    const ssize_t written = ::write(ends[1], &answer, sizeof answer);
    ::_exit(written == sizeof answer ? 0 : 1);
  }
  ::close(ends[1]);
  Answer answer{child < 0 ? errno : ETIMEDOUT, {}};
  pollfd readable{ends[0], POLLIN, 0};
  if (child > 0 && ::poll(&readable, 1, static_cast<int>(patience_s * 1000)) == 1)
    if (::read(ends[0], &answer, sizeof answer) != sizeof answer) answer = {EIO, {}};
  ::close(ends[0]);
  if (child > 0) {
    ::kill(child, SIGKILL);
    // A child that even SIGKILL can't end yet (a dead NFS server) goes to init.
    const int tries = answer.code == ETIMEDOUT ? 50 : std::numeric_limits<int>::max();
    for (int i = 0; i < tries && ::waitpid(child, nullptr, WNOHANG) == 0; ++i) ::usleep(1000);
  }
  if (answer.code == ETIMEDOUT)
    return fail_environment(path.string(), fmt::format("no answer within {}", duration_text(patience_s)));
  return result(path, answer);
}

}  // namespace shakedown
