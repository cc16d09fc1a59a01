#pragma once
#include <string>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The inventory for people: aligned, within 100 columns but for names that are longer, a newline at its end.
std::string inventory_text(const Inventory& inventory);

}  // namespace shakedown
