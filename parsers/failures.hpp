#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/core/text_source.hpp"
#include "parsers/lines.hpp"

namespace shakedown {

/// What made a run end without its result.
enum class FailureKind {
  benchmark,          ///< the benchmark says itself what is wrong
  out_of_memory,      ///< of the host
  gpu_out_of_memory,  ///< of a GPU
  time_limit,         ///< of the batch system
  preempted,
  cancelled,        ///< by a person or another program
  node_failure,     ///< a node or the way to it is gone
  gpu_error,        ///< CUDA, HIP, ECC, Xid
  nccl_error,       ///< NCCL, RCCL
  mpi_error,        ///< the MPI library gave up
  mpi_abort,        ///< the program called MPI_Abort
  numerical,        ///< not a number, a floating-point trap
  storage,          ///< full, over quota, read-only, not answering
  program_missing,  ///< the program or one of its libraries
  launch_failed,    ///< the launcher could not start the processes
  signal,
  nonzero_exit,  ///< an exit code without a word
  no_result,     ///< no line says why
};

/// "out-of-memory", "gpu-out-of-memory", "time-limit", ...: for machines, never changed.
std::string_view to_string(FailureKind kind);
/// The kind of that name, or nothing.
std::optional<FailureKind> failure_kind(std::string_view name);

/// A line of a log that says why a run ended early, whichever program wrote it.
struct Failure {
  int line = 0;
  int weight = 0;  ///< 5 the benchmark's own words, 4 memory, time, a node or the disk ran out, 3 a device or
                   ///< a library failed, 2 a signal, 1 the launcher's aftermath, 0 nothing is known
  std::string
      text;  ///< a sentence that quotes the line: "line 5: out of memory: 'Detected 1 oom_kill event'"
  FailureKind kind = FailureKind::benchmark;
  friend bool operator==(const Failure&, const Failure&) = default;
};

/// The failure that a line of a scheduler, launcher, kernel or CUDA library speaks of, or nothing. Lines that
/// only look like one never count: what Open MPI, PMIx, srun, NCCL and the loader say of what they do
/// without.
std::optional<Failure> failure_in(const LogLine& line);

/// The weightiest failure that a whole text tells of, from where it stands; one of kind no_result where no
/// line says why. Fails (environment) where the text can't be read.
Result<Failure> failure_of_text(TextSource& text);

/// Whether a launcher's standard error proves that processes of the program began: its report on how they
/// ended. Launchers that fail by themselves never say it.
///
/// Source: messages of Open MPI 4.1 and 5.0, MPICH's Hydra and Slurm's srun on a process that ends with a
/// code other than 0.
bool tells_of_started_process(std::string_view stderr_text);

/// "line 5: out of memory: '<the line, at most 160 characters>'".
std::string quoted_line(int number, std::string_view what, std::string_view line);

/// Keeps in `main` the weightier of the two; of two as weighty, the first that came.
void note(std::optional<Failure>& main, std::optional<Failure> another);

}  // namespace shakedown
