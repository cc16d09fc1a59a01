#pragma once
#include <string>
#include <string_view>

namespace shakedown {

/// The files in an attempt's folder beside the case's own: their writers use these names, so that a plan
/// can't bring one of them. Those that the wrapper and job.sh write (orchestrator/launch/attempt, which knows
/// nothing of us) are in the table of run_file.cpp alone.
inline constexpr const char* job_script_file = "job.sh";
inline constexpr const char* environment_file = "environment.json";  ///< of the node, taken once
inline constexpr const char* place_file = "place.json";              ///< the job and the nodes that it got
inline constexpr const char* scheduler_file = "scheduler.json";      ///< the scheduler's report of its end
inline constexpr const char* stop_note_file = "stopped.json";        ///< who stopped it
inline constexpr const char* job_file = "job.json";                  ///< of a job's folder
inline constexpr const char* batch_script_file = "batch.sh";
inline constexpr const char* batch_log_file = "batch.log";
inline constexpr const char* slurm_log_file = "slurm.log";
inline constexpr const char* imported_file = "imported.json";

/// Why `name` can't be a file of a run directory, as a sentence; empty: it can. It must be relative, in plain
/// components: no '..', no '.', no empty one, no control characters.
std::string wrong_run_file(std::string_view name);

/// As `wrong_run_file`, for an input file: it must not be one that we write there either, nor hidden, in
/// whatever case (a filesystem may not distinguish "Started.json" and "started.json").
std::string wrong_input_file(std::string_view name);

}  // namespace shakedown
