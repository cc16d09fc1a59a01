#include "suites/io500/target.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/mounts.hpp"
#include "suites/io500/rates.hpp"
#include "suites/io500/site.hpp"

namespace shakedown::io500 {
namespace {

bool lies_below(std::string_view path, std::string_view folder) {
  if (folder.empty() || !path.starts_with(folder)) return false;
  return folder.ends_with('/') || path.size() == folder.size() || path[folder.size()] == '/';
}

const Storage* storage_of(const Inventory& inventory, const std::string& datadir) {
  for (const Storage& each : inventory.storage)
    if (lies_below(datadir, each.mount)) return &each;
  // If no mount point is stated, a system's only shared file system is the one that is measured.
  if (inventory.storage.size() == 1 && inventory.storage.front().mount.empty())
    return &inventory.storage.front();
  return nullptr;
}

/// The mount that the directory is on. The run directory's place is not known when planning: the local file
/// system with the least space is assumed.
const Mount* mount_of(const NodeGroup& node, const std::string& datadir) {
  const Mount* found = nullptr;
  for (const Mount& each : node.mounts) {
    if (!each.writable || each.free_bytes <= 0 || each.type == "tmpfs") continue;
    const bool better = datadir.empty() ? found == nullptr || each.free_bytes < found->free_bytes
                                        : lies_below(datadir, each.path) &&
                                              (found == nullptr || each.path.size() > found->path.size());
    if (better) found = &each;
  }
  return found;
}

/// Whether the directory may lie on a disk of the node, which no link bounds.
bool may_be_local(const PlanRequest& request, const Target& found) {
  return request.hosts.size() == 1 && found.storage == nullptr &&
         (found.type.empty() ? !request.group->disks.empty() || !request.group->mounts.empty()
                             : !is_network_filesystem(found.type));
}

/// What the clients' links carry, or the servers' where that is less.
void bound_by_links(Target& found, const PlanRequest& request) {
  if (may_be_local(request, found)) return;
  const auto nodes = std::ssize(request.hosts);
  found.links_gib_s = static_cast<double>(nodes) * client_gib_s(*request.group);
  found.links_because = fmt::format("the links of {}", plural(nodes, "client"));
  const double servers = found.storage == nullptr ? 0 : server_gib_s(*found.storage);
  if (servers <= 0 || (found.links_gib_s > 0 && found.links_gib_s <= servers)) return;
  found.links_gib_s = servers;
  found.links_because = fmt::format("the links of {}", plural(found.storage->servers, "server"));
}

}  // namespace

Target target(const PlanRequest& request, std::string_view case_id) {
  const SiteIo500 site = site_of(request.site).value_or(SiteIo500());
  Target found;
  found.stated = !site.datadir.empty();
  found.datadir = found.stated ? fmt::format("{}/{}", site.datadir, case_id) : "./datafiles";
  found.stated_results = !site.resultdir.empty();
  found.resultdir = site.resultdir.empty() ? "./results" : fmt::format("{}/{}", site.resultdir, case_id);
  found.directory_limit = site.directory_limit;
  found.inodes = site.free_inodes;
  const Mount* mount = mount_of(*request.group, site.datadir);
  found.storage = storage_of(*request.inventory, site.datadir);
  if (found.storage != nullptr)
    found.type = found.storage->type;
  else if (mount != nullptr)
    found.type = mount->type;
  if (found.inodes == 0 && found.storage != nullptr) found.inodes = found.storage->inode_limit;

  const auto partly = [&](double space, std::string because) {
    const double part = request.implementation->tuned("capacity_fraction", 0.5);
    found.space = space;
    found.bytes = part * space;
    found.bytes_because = fmt::format("{:.2f} x {}", part, because);
    found.space_because = std::move(because);
  };
  if (site.free_bytes > 0) {
    found.space = found.bytes = static_cast<double>(site.free_bytes);
    found.space_because = found.bytes_because =
        fmt::format("{} that the site allows", bytes_text(found.bytes));
  } else if (mount != nullptr && (found.storage == nullptr || mount->type == found.type)) {
    const auto free = static_cast<double>(mount->free_bytes);
    partly(free, fmt::format("{} free on {}", bytes_text(free), mount->path));
  } else if (found.storage != nullptr && found.storage->usable_bytes > 0) {
    const auto whole = static_cast<double>(found.storage->usable_bytes);
    partly(whole, fmt::format("{}, the size of '{}'", bytes_text(whole), found.storage->name));
  }
  bound_by_links(found, request);
  return found;
}

}  // namespace shakedown::io500
