#pragma once
#include "orchestrator/core/error.hpp"
#include "orchestrator/schedulers/slurm_allowance.hpp"
#include "orchestrator/schedulers/slurm_limits.hpp"

namespace shakedown {

/// Who we are to Slurm.
SlurmUser slurm_user();

/// Asks Slurm what it allows: partitions, reservations, configuration, and where limits are counted its
/// accounting, each with one command. Fails (environment) where it does not tell its partitions; what else it
/// does not tell is no limit.
Result<SlurmLimits> asked_slurm_limits();

}  // namespace shakedown
