#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Reads an inventory in TOML; `name` is shown in errors. Unknown keys are refused with "did you mean".
Result<Inventory> inventory_from_toml(std::string_view text, std::string_view name);
/// Reads a file, as JSON where its name ends in `.json`, else as TOML.
Result<Inventory> read_inventory(const std::filesystem::path& path);

/// The inventory as TOML that `inventory_from_toml` reads back to an equal value.
std::string inventory_toml(const Inventory& inventory);

/// The inventory as `shakedown.inventory/1` JSON, indented; and back.
std::string inventory_json(const Inventory& inventory);
Result<Inventory> inventory_from_json(std::string_view text, std::string_view name);

/// This machine: hwloc, NVML, sysfs, cgroup. Never fails as a whole: what can't be read is a note.
Inventory discovered_inventory();

}  // namespace shakedown
