#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {

/// squeue's output format that `slurm_queue` reads: number, state, reason, expected start, name.
inline constexpr std::string_view squeue_format = "%A|%T|%r|%S|%j";

/// A line of squeue or sacct about a job.
struct SlurmQueued {
  JobState state;
  std::string name;
};

/// What squeue prints in `squeue_format` for each job, by its number; lines of another shape are ignored.
/// Times are UTC.
///
/// Source: squeue(1), "JOB STATE CODES", "JOB REASON CODES".
std::map<std::string, SlurmQueued> slurm_queue(std::string_view text);

/// A job's state from the state that Slurm prints: "RUNNING", "CANCELLED by 1000", "OUT_OF_MEMORY". Unknown
/// states count as running: the job may still write.
JobState state_of(std::string_view state);

/// A job's state from `scontrol show job -o`.
JobState state_of_record(std::string_view line);

/// Whether the log of a job reports that Slurm ended a step for its memory use: if a step is killed, the job
/// itself ends like any other.
///
/// Source: Slurm, src/common/slurm_jobacct_gather.c (OverMemoryKill), src/slurmd/slurmstepd/mgr.c (oom_kill).
bool reports_memory(std::string_view log);

/// What an error of sbatch means that may be over later: the queue takes no more jobs now, or not this one
/// (`JobLater`), or Slurm does not answer (`JobUnsure`). Nothing: it is no such.
///
/// Source: Slurm, src/common/slurm_errno.c.
std::optional<Submission> temporary_refusal(std::string_view sbatch_error);

/// Whether an error of sbatch means that this job will never be taken, though others may.
///
/// Source: the same.
bool is_for_good(std::string_view sbatch_error);

/// Whether an error of sbatch means that no job of this site is taken: of an unknown account, QoS or
/// partition.
///
/// Source: the same.
bool is_of_any_job(std::string_view sbatch_error);

/// Whether scancel complains of a job that has ended meanwhile.
bool has_ended(std::string_view scancel_error);

/// The number of a job in what sbatch printed: "1234", "1234;cluster" or "Submitted batch job 1234" on a line
/// of its own, between whatever plugins and wrappers print. Empty: no line has one, or several differ.
///
/// Source: sbatch(1), "--parsable"; sbatch.c of Slurm 22.05 to 25.05.
std::string submitted_number(std::string_view sbatch_output);

/// The newest job of that name in what squeue prints, one that is not gone before those that are; empty:
/// there is none.
std::string number_of_name(const std::map<std::string, SlurmQueued>& queue, std::string_view name);

}  // namespace shakedown
