#pragma once
#include <string>

#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Fabric, pods and storage for people; empty where the inventory says nothing about them.
std::string system_text(const Inventory& inventory);

}  // namespace shakedown
