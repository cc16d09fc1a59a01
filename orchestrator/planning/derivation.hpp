#pragma once
#include <span>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/suite.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "orchestrator/planning/wanted.hpp"

namespace shakedown {

/// Derives the cases of all chosen suites, screens first, with their whole argv, and their cost. A refused
/// suite is listed in the plan, or is the failure when nothing else remains.
Result<Plan> derived_plan(const PlanOptions& options, const Acceptance& acceptance,
                          const Inventory& inventory, const Layout& layout);

/// The refusals of what the user asked for by name, be it by an option or by a run that is not `optional`, as
/// an error; success: there is none.
Result<void> named_refusal(const Plan& plan, const Acceptance& acceptance);

/// The next number of nodes that a suite can be planned on, with what asks for it: "128 nodes" as "128 nodes
/// (--suite mlperf --nodes 128)", of a configuration's run "(nodes = [128] in a.toml:7)". What begins
/// otherwise stays.
std::string with_option(const std::string& next, const Wanted& wanted);

/// "hpl", "mlperf/gpt3".
std::string refused_name(const Refusal& refusal);

}  // namespace shakedown
