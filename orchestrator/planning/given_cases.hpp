#pragma once
#include <string_view>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// Plans the cases of a plan that was given again, with their own parameters: it may have been edited, or be
/// of other nodes. Fails where a rule refuses one (a matrix larger than the memory), and warns of input files
/// that are not what the parameters give. Cases of suites, implementations or nodes that are not known here
/// are left as they are. `file` is the plan's.
Result<void> check_given_cases(Plan& plan, std::string_view file, const Inventory& inventory,
                               const Acceptance& acceptance, const Layout& layout);

}  // namespace shakedown
