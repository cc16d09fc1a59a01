#pragma once
#include <string>

#include "orchestrator/planning/fitted_runs.hpp"

namespace shakedown {

/// The tables `[site]`, with all below it, and `[settings]` of a starting configuration, as TOML with
/// comments: the inventory's facts on the batch system, the network, the file system and the versions of the
/// nodes; the shipped configuration's values as examples, marked with `# EDIT:`, for what no inventory
/// states.
std::string starting_site(const Acceptance& shipped, const Inventory& inventory, const FittedRuns& fitted);

}  // namespace shakedown
