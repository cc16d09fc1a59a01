#include "orchestrator/inventory/mounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "orchestrator/inventory/filesystem_space.hpp"
#include "orchestrator/inventory/mount_table.hpp"
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
// In memory, but people keep data there.
constexpr std::string_view memory_paths[] = {"/", "/dev/shm", "/tmp", "/var/tmp"};
// Images, not room for data.
constexpr std::string_view image_types[] = {"squashfs", "iso9660", "erofs", "udf", "cramfs"};
constexpr std::string_view desktop_types[] = {"fuse.portal", "fuse.gvfsd-fuse", "fuse.lxcfs", "fuse.snapfuse",
                                              "fuse.squashfuse"};

bool is_remote(const MountEntry& entry) {
  const bool fuse = entry.type.starts_with("fuse.") || entry.type == "fuse";
  return among(remote_types, entry.type) || fuse;
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

}  // namespace shakedown
