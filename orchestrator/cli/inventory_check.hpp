#pragma once
#include <string>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

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
