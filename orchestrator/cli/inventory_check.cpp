#include "orchestrator/cli/inventory_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/inventory_discovery.hpp"
#include "orchestrator/cli/text/difference_text.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/heterogeneity.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/named_inventory.hpp"
#include "orchestrator/inventory/readers.hpp"

namespace shakedown {
namespace {

// Files say what is on the board, nodes what the kernel leaves of it: 1 to 2 % less. A lost memory module of
// 24 is 4 %.
constexpr double board_tolerance = 0.03;

/// The inventory without the nodes that gave no answer: of them nothing is known to differ.
Inventory without(const Inventory& inventory, const std::vector<SilentNode>& silent) {
  std::vector<std::string> gone;
  gone.reserve(silent.size());
  for (const SilentNode& node : silent) gone.push_back(node.host);
  std::sort(gone.begin(), gone.end());
  Inventory rest = inventory;
  for (NodeGroup& group : rest.groups) {
    auto hosts = expanded_hostlist(group.hosts).value_or(std::vector<std::string>{});
    std::erase_if(
        hosts, [&](const std::string& host) { return std::binary_search(gone.begin(), gone.end(), host); });
    group.hosts = folded_hostlist(hosts);
  }
  std::erase_if(rest.groups, [](const NodeGroup& group) { return group.hosts.empty(); });
  return rest;
}

int code(InventoryMatch comparison) {
  return static_cast<int>(comparison);
}

}  // namespace

Result<int> check_inventory(const Inventory& inventory, const std::string& name,
                            const CommonOptions& common) {
  std::vector<std::string> hosts;
  for (const NodeGroup& group : inventory.groups) {
    const auto names = expanded_hostlist(group.hosts);
    if (!names) return failure_of(names);
    hosts.insert(hosts.end(), names->begin(), names->end());
  }
  const auto probe = answers_of(hosts, common);
  if (!probe) return failure_of(probe);
  const Inventory live = merged_answers(probe->answers, probe->silent, inventory.system);
  const auto changes = differences(without(inventory, probe->silent), live,
                                   {.only_what_before_says = true, .tolerance = board_tolerance});
  const Sides sides{name, "live"};
  if (common.json) {
    std::vector<std::string> silent;
    for (const SilentNode& node : probe->silent) silent.push_back(node.host);
    std::cout << differences_json(changes, sides, silent);
  } else {
    if (!probe->answers.empty()) std::cout << differences_text(changes, sides);
    for (const std::string& sentence : heterogeneity(live)) std::cout << "nodes differ: " << sentence << "\n";
  }
  for (const std::string& note : silence_notes(probe->silent)) std::cerr << note << "\n";
  if (!probe->silent.empty()) return code(InventoryMatch::silent_nodes);
  return code(changes.empty() ? InventoryMatch::same : InventoryMatch::different);
}

Result<int> diff_inventories(const std::string& before, const std::string& after,
                             const CommonOptions& common) {
  const auto a = named_inventory(before, installed_layout());
  if (!a) return failure_of(a);
  const auto b = named_inventory(after, installed_layout());
  if (!b) return failure_of(b);
  const auto changes = differences(*a, *b);
  const Sides sides{before, after};
  std::cout << (common.json ? differences_json(changes, sides) : differences_text(changes, sides));
  return code(changes.empty() ? InventoryMatch::same : InventoryMatch::different);
}

Result<Inventory> last_campaigns_inventory(const CommonOptions& common) {
  const Workspace workspace{common.workspace};
  const auto ids = campaign_ids(workspace);
  if (ids.empty())
    return fail("inventory check",
                fmt::format("no inventory was named and {} has no campaign", common.workspace),
                "name one: shakedown inventory check cluster.toml");
  return read_inventory(workspace.campaign(ids.back()) / "inventory.json");
}

}  // namespace shakedown
