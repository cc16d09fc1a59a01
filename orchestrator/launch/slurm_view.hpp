#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The nodes of a partition (empty: of all) as Slurm's configuration has them: `sinfo` for the partition's
/// hosts, `scontrol show node -o` for the nodes. The system is called after the cluster.
///
/// Fails (environment) where Slurm doesn't answer, and (input) on an unknown partition, with "did you mean".
Result<Inventory> slurm_view(const std::string& partition);

/// The leaf switches that some of `hosts` are behind, by `scontrol show topology`; empty: Slurm has no
/// topology, or one switch has them all.
std::vector<Pod> slurm_pods(const std::vector<std::string>& hosts);

/// The refusal to load a login node: where a batch system's submit command is in PATH and we are in no
/// allocation. Its hint is the batch line that runs `command` on a compute node.
std::optional<Error> login_node_refusal(std::string_view command);

/// Whether this machine can give jobs to Slurm: its programs are here and configured, by sinfo.
bool has_slurm();

}  // namespace shakedown
