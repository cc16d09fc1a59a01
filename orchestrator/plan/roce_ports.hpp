#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// What an inventory shows of the RoCE ports that the ranks of some nodes talk over.
struct RocePorts {
  int count = 0;                 ///< those that are up, of all nodes; 0: none is known
  std::optional<int> gid_index;  ///< of the RoCE v2 GID with an IPv4 address, the same on all of them
  int mtu = 0;                   ///< RDMA MTU in bytes, the same on all of them; 0: not known
  std::string differences;       ///< in which of these they differ, and where; empty: in none
};

/// The ports of `devices` (RDMA devices; empty: all but those of another role than compute) on `hosts`; none
/// where one of them is InfiniBand's.
RocePorts roce_ports(const Inventory& inventory, const std::vector<std::string>& hosts,
                     const std::vector<std::string>& devices);

/// The largest RDMA MTU that fits into packets of an Ethernet interface: 4096 of 9000, 1024 of 1500; 0: none.
///
/// Source: Linux kernel, include/rdma/ib_addr.h, iboe_get_mtu: 96 bytes of headers.
int rdma_mtu(int interface_mtu);

}  // namespace shakedown
