#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// A part before a file was read into it: the default, except what `with_defaults` derives if it is not
/// stated.
template <class Part>
Part unread() {
  return {};
}
template <>
Cpu unread<Cpu>();
template <>
Usable unread<Usable>();

/// The group with what its file may omit: one NUMA node per socket, all of the board usable.
NodeGroup with_defaults(NodeGroup group);

/// A value's place in its file, for an error: key `key` of element `index` of the part `part` ("" is the
/// group itself) of group `group`; `pods`, `fabric` and `storage` are parts of the whole inventory.
struct Spot {
  size_t group = 0;
  std::string_view part;
  size_t index = 0;
  std::string_view key;
};
using PlaceOf = std::function<std::string(const Spot&)>;

/// Whether the inventory can be: valid hostlists without a host in two groups or two pods, pods of hosts that
/// there are, sockets of equal size, no more usable than there is, GPU numbers and rails that exist, assumed
/// keys that are keys. Fails with the place of the first contradiction.
///
/// Unequal sockets are believed in an inventory that was discovered: a core may be offline.
Result<void> checked(const Inventory& inventory, const PlaceOf& place_of);

/// The group in a sentence: "node 'gpu03'", "nodes 'cn[001-098]'".
std::string subject(const NodeGroup& group);

/// Whether the sentence's verb is singular. A hostlist that can't be read counts as one node.
bool is_one_node(const NodeGroup& group);

}  // namespace shakedown
