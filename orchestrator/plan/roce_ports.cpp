#include "orchestrator/plan/roce_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

/// The values of one setting, each with the hosts and devices that have it, in the order of the inventory.
class Values {
 public:
  /// Of a device of all nodes of a group, whose devices are added one after the other.
  void add(int value, const NodeGroup& group, const std::vector<std::string>& hosts,
           const std::string& device) {
    auto known = std::ranges::find(list_, value, &Holders::value);
    if (known == list_.end()) known = list_.insert(known, {value, nullptr, {}, {}});
    if (std::exchange(known->last, &group) != &group)
      known->hosts.insert(known->hosts.end(), hosts.begin(), hosts.end());
    if (std::ranges::find(known->devices, device) == known->devices.end()) known->devices.push_back(device);
  }
  /// The value of them all, or `none`.
  [[nodiscard]] int shared(int none) const { return list_.size() == 1 ? list_.front().value : none; }
  /// "GID index 3 (cn001: mlx5_0, mlx5_1), 5 (cn002: mlx5_0)"; empty: one value.
  [[nodiscard]] std::string differences(std::string_view what, int none) const {
    if (list_.size() < 2) return "";
    std::vector<std::string> pieces;
    pieces.reserve(list_.size());
    for (const Holders& each : list_)
      pieces.push_back(fmt::format("{} ({}: {})", each.value == none ? "none" : std::to_string(each.value),
                                   folded_hostlist(each.hosts), joined(each.devices, ", ")));
    return fmt::format("{} {}", what, joined(pieces, ", "));
  }

 private:
  struct Holders {
    int value;
    const NodeGroup* last;  ///< group whose hosts are in already
    std::vector<std::string> hosts;
    std::vector<std::string> devices;
  };
  std::vector<Holders> list_;
};

bool is_meant(const Nic& nic, const std::vector<std::string>& devices) {
  if (nic.rdma_device.empty() || nic.state == "down") return false;
  if (!devices.empty()) return std::ranges::find(devices, nic.rdma_device) != devices.end();
  return nic.role.empty() || nic.role == "compute";
}

bool has_roce(const Inventory& inventory) {
  return std::ranges::any_of(inventory.groups, [](const NodeGroup& group) {
    return std::ranges::any_of(group.nics, [](const Nic& nic) { return nic.roce_gid_index.has_value(); });
  });
}

}  // namespace

RocePorts roce_ports(const Inventory& inventory, const std::vector<std::string>& hosts,
                     const std::vector<std::string>& devices) {
  RocePorts ports;
  if (!has_roce(inventory)) return ports;
  constexpr int no_gid = -1;
  const std::unordered_set<std::string_view> wanted(hosts.begin(), hosts.end());
  Values gids;
  Values mtus;
  for (const NodeGroup& group : inventory.groups) {
    auto names = expanded_hostlist(group.hosts).value_or(std::vector<std::string>{});
    std::erase_if(names, [&](const std::string& name) { return !wanted.contains(name); });
    if (names.empty()) continue;
    for (const Nic& nic : group.nics) {
      if (!is_meant(nic, devices)) continue;
      if (nic.link_layer == "InfiniBand") return {};  // that is what the ranks use
      ports.count += static_cast<int>(names.size());
      gids.add(nic.roce_gid_index.value_or(no_gid), group, names, nic.rdma_device);
      mtus.add(rdma_mtu(nic.mtu_bytes), group, names, nic.rdma_device);
    }
  }
  if (const int index = gids.shared(no_gid); index != no_gid) ports.gid_index = index;
  ports.mtu = mtus.shared(0);
  ports.differences = gids.differences("GID index", no_gid);
  if (const std::string mtu = mtus.differences("MTU", 0); !mtu.empty())
    ports.differences += (ports.differences.empty() ? "" : "; ") + mtu;
  return ports;
}

int rdma_mtu(int interface_mtu) {
  constexpr int headers = 96;
  for (const int mtu : {4096, 2048, 1024, 512, 256})
    if (mtu <= interface_mtu - headers) return mtu;
  return 0;
}

}  // namespace shakedown
