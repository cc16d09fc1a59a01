#pragma once
#include <string>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The plan for people: a table of suites; with `explain` each number's derivation below.
std::string plan_text(const Plan& plan, const Inventory& inventory, bool explain);

}  // namespace shakedown
