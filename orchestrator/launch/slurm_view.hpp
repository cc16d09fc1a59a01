#pragma once
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The nodes of a partition (empty: of all) as Slurm's configuration has them: `sinfo` for the partition's
/// hosts, `scontrol show node -o` for the nodes. The system is called after the cluster.
///
/// Fails (environment) where Slurm doesn't answer, and (input) on an unknown partition, with "did you mean".
Result<Inventory> slurm_view(const std::string& partition);

}  // namespace shakedown
