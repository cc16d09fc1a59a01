#pragma once
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/planning/plan_options.hpp"

namespace shakedown {

/// Derives the cases of all chosen suites, screens first, with their whole argv, and their cost. A refused
/// suite is listed in the plan, or is the failure when nothing else remains.
Result<Plan> derived_plan(const PlanOptions& options, const Acceptance& acceptance,
                          const Inventory& inventory, const Layout& layout);

/// The first refusal of what the user asked for by name, as an error; success: there is none.
Result<void> named_refusal(const Plan& plan);

}  // namespace shakedown
