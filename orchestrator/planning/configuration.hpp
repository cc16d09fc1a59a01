#pragma once
#include <filesystem>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/planning/plan_options.hpp"

namespace shakedown {

/// The configuration that the options name, a file or a shipped campaign; one without runs where they name
/// none.
Result<Acceptance> chosen_acceptance(const PlanOptions& options, const Layout& layout);

/// The file of the configuration that the options name; empty where they name none.
std::filesystem::path configuration_file(const PlanOptions& options, const Layout& layout);

/// A system's file lies beside the configuration (`file`) that names it: then that is the system.
void find_system_beside(Acceptance& acceptance, const std::filesystem::path& file);

/// The inventory that the options name, else the configuration's, else this machine's.
Result<Inventory> chosen_inventory(const PlanOptions& options, const Acceptance& acceptance,
                                   const Layout& layout);

}  // namespace shakedown
