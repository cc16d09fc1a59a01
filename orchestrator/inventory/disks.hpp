#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The disks of the node itself by `root`/sys/block, each with where the file systems on it, its partitions
/// and the volumes over them are mounted. Not removable ones, not those that are reached over a network (NVMe
/// over TCP or RDMA, Fibre Channel, iSCSI). Equal disks stand side by side, so that nodes which number them
/// differently compare equal.
///
/// Source: Linux, Documentation/ABI/stable/sysfs-block and Documentation/ABI/testing/sysfs-class-nvme.
std::vector<Disk> read_disks(const std::filesystem::path& root);

}  // namespace shakedown
