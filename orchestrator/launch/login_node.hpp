#pragma once
#include <optional>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// The refusal to load a login node: where a batch system's submit command is in PATH and we are in no
/// allocation. Its hint is the batch line that runs `command` on a compute node.
std::optional<Error> login_node_refusal(std::string_view command);

/// Whether this machine can give jobs to Slurm: its programs are here, and somebody configured them. sinfo
/// says so.
bool has_slurm();

}  // namespace shakedown
