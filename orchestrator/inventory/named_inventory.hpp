#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The inventory of a file or of a shipped system's name ("sakuraone"). Fails with "did you mean" for a name
/// that is neither.
Result<Inventory> named_inventory(const std::string& name, const Layout& layout);

/// The names of the shipped systems, sorted.
std::vector<std::string> shipped_systems(const Layout& layout);

}  // namespace shakedown
