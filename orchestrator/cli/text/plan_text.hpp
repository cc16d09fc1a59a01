#pragma once
#include <string>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The plan for people: a table of suites; with `explain` each number's derivation below.
std::string plan_text(const Plan& plan, const Inventory& inventory, bool explain);

/// "18m 59s (13m 57s to 22m 04s)"; where the range is too wide for a value in it to mean anything, the range.
std::string predicted_time_text(const Prediction& prediction);

}  // namespace shakedown
