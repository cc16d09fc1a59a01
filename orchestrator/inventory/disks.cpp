#include "orchestrator/inventory/disks.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/mounts.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t sector_bytes = 512;  // of `size`, whatever the disk's own are

/// Where each device number and device name is mounted: of several mounts of one the one that shows most of
/// it.
std::map<std::string, std::string> mount_points(const fs::path& root) {
  std::map<std::string, std::pair<std::string, std::string>> shown;  // root within the device, path
  for (const MountEntry& entry : mount_entries(system_file(root / "proc/self/mountinfo").value_or(""))) {
    const std::pair now{entry.root, entry.path};
    for (const std::string& key : {entry.device, entry.source}) {
      const auto [it, fresh] = shown.try_emplace(key, now);
      const auto size = [](const auto& pair) { return std::pair(pair.first.size(), pair.second.size()); };
      if (!fresh && size(now) < size(it->second)) it->second = now;
    }
  }
  std::map<std::string, std::string> points;
  for (auto& [key, pair] : shown) points[key] = pair.second;
  return points;
}

/// Adds where the block device in `folder`, its partitions and what is built on them (LVM, RAID) are mounted.
void add_mount_points(const fs::path& root, const fs::path& folder,
                      const std::map<std::string, std::string>& points, std::set<std::string>& into,
                      int depth) {
  constexpr int deepest = 6;
  if (depth > deepest) return;
  const std::string name = folder.filename().string();
  for (const std::string& key : {system_file(folder / "dev").value_or(""), "/dev/" + name})
    if (const auto it = points.find(key); it != points.end()) into.insert(it->second);
  for (const std::string& part : names_in(folder))
    if (part.starts_with(name) && system_file(folder / part / "partition"))
      add_mount_points(root, folder / part, points, into, depth + 1);
  for (const std::string& holder : names_in(folder / "holders"))
    add_mount_points(root, root / "sys/block" / holder, points, into, depth + 1);
}

/// Whether a disk's path in sysfs leads over a network.
bool is_remote_disk(const fs::path& folder) {
  if (const auto transport = system_file(folder / "device/transport"))
    return *transport != "pcie" && *transport != "apple-nvme";
  std::error_code error;
  const std::string path = fs::canonical(folder / "device", error).string();
  return path.find("/rport-") != path.npos || path.find("/session") != path.npos;
}

std::string bus_of(const fs::path& folder, const std::string& name) {
  if (name.starts_with("nvme")) return "nvme";
  if (name.starts_with("vd") || link_name(folder / "device/driver") == "virtio_blk") return "virtio";
  if (name.starts_with("sd")) return "scsi";
  return "";
}

}  // namespace

std::vector<Disk> read_disks(const fs::path& root) {
  std::vector<Disk> disks;
  const auto points = mount_points(root);
  const fs::path block = root / "sys/block";
  for (const std::string& name : names_in(block)) {
    const fs::path folder = block / name;
    std::error_code error;
    const bool is_hardware = fs::exists(folder / "device", error);
    const auto flag = [&](const char* file) { return system_number(folder / file).value_or(0) != 0; };
    const std::int64_t size = system_number(folder / "size").value_or(0) * sector_bytes;
    if (!is_hardware || size <= 0 || flag("removable") || flag("hidden") || is_remote_disk(folder)) continue;
    Disk disk;
    disk.name = name;
    disk.model = system_file(folder / "device/model").value_or("");
    disk.size_bytes = size;
    disk.bus = bus_of(folder, name);
    // Hypervisors leave the flag at its default.
    if (const auto rotational = system_number(folder / "queue/rotational");
        rotational && disk.bus != "virtio")
      disk.rotational = *rotational != 0;
    disk.firmware =
        system_file(folder / "device/firmware_rev").value_or(system_file(folder / "device/rev").value_or(""));
    std::set<std::string> mounted;
    add_mount_points(root, folder, points, mounted, 0);
    disk.mounts.assign(mounted.begin(), mounted.end());
    disks.push_back(std::move(disk));
  }
  std::ranges::stable_sort(disks, {}, [](const Disk& disk) {
    return std::tie(disk.bus, disk.model, disk.size_bytes, disk.firmware, disk.mounts);
  });
  return disks;
}

}  // namespace shakedown
