#pragma once
#include <string>
#include <vector>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/launch/probe.hpp"

namespace shakedown {

/// Where the nodes of a discovery come from; neither: this machine alone.
struct DiscoveryOptions {
  bool slurm = false;
  std::string partition;  ///< of Slurm; empty: all nodes
  std::string hostfile;
};

/// An inventory and the nodes that it has nothing from.
struct Discovered {
  Inventory inventory;
  std::vector<SilentNode> silent;
};

/// Asks the nodes, shows its progress, and merges their answers. If Slurm names the nodes and none answers,
/// the result is Slurm's view of them, and is marked so. Fails (environment) if nothing is known of any node.
Result<Discovered> discovery(const DiscoveryOptions& options, const CommonOptions& common);

/// Asks the hosts as `discovery` does; where this machine is the only one, without a launcher.
Result<Probe> answers_of(const std::vector<std::string>& hosts, const CommonOptions& common);

/// The exit codes of `inventory check` and `inventory diff`.
enum class InventoryMatch { same = 0, different = 1, silent_nodes = 4 };

/// Holds an inventory against its live nodes and prints what differs, what the nodes don't have in common,
/// and who gave no answer. `name` is what the inventory is called in the output.
Result<int> check_inventory(const Inventory& inventory, const std::string& name, const CommonOptions& common);

/// Prints what differs between two inventories.
Result<int> diff_inventories(const std::string& before, const std::string& after,
                             const CommonOptions& common);

/// The inventory that the newest campaign of the workspace was planned for.
Result<Inventory> last_campaigns_inventory(const CommonOptions& common);

}  // namespace shakedown
