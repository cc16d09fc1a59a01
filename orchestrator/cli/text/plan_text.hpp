#pragma once
#include <string>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The plan for people: a table of suites; with `explain` each number's derivation below.
std::string plan_text(const Plan& plan, const Inventory& inventory, bool explain);

/// How long a case is predicted to take, from start to end: "18m 59s (13m 57s to 22m 04s)"; where its
/// start-up makes that range too wide, the benchmark's own time: "25.9 s (22.4 s to 30.9 s) + up to 3m 00s of
/// start"; else "not predicted, limit 10m 00s".
std::string expected_time_text(const Case& planned);

}  // namespace shakedown
