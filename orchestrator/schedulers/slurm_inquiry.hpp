#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/launch/job.hpp"
#include "orchestrator/plan/site.hpp"
#include "orchestrator/schedulers/slurm_allowance.hpp"
#include "orchestrator/schedulers/slurm_limits.hpp"

namespace shakedown {

/// Who we are to Slurm.
SlurmUser slurm_user();

/// Asks Slurm what it allows: partitions, reservations, configuration, and where limits are counted its
/// accounting, each with one command. Fails (environment) if it does not report its partitions; anything else
/// that it does not report is no limit.
Result<SlurmLimits> asked_slurm_limits();

/// The name that a job has in Slurm's queue: unique, also if our record of its number was lost.
std::string slurm_job_name(const Job& job);

/// What a job asks for beside the limits of its attempts: for the start and the end of each, and for its own.
inline constexpr double slurm_step_margin_s = 30;
inline constexpr double slurm_job_margin_s = 120;

/// The wall time that a job asks for whose longest lane may take `lane_s`, step margins included: whole
/// minutes, which is what Slurm counts in.
double slurm_wall_s(double lane_s);

/// sbatch's argument vector for a job, without the program. Nodes are named one by one and are ours alone; a
/// job is never put back in the queue, since the campaign decides what runs again; and where lanes run beside
/// each other, a node that fails does not end the others'.
///
/// Source: sbatch(1) of Slurm 22.05 and 25.05.
std::vector<std::string> sbatch_arguments(const Job& job, const Site& site);

/// The batch script: each lane's attempts one behind the other, lanes beside each other. An attempt of a lane
/// among several is a step of its own on its node, so that its failure stays there. Steps take all processors
/// of their node, which steps no longer inherit from the job (Slurm 22.05), and see all of its GPUs.
std::string slurm_batch_script(const Job& job, const Site& site);

}  // namespace shakedown
