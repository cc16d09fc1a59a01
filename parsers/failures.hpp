#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "parsers/lines.hpp"

namespace shakedown {

/// A line of a log that says why a run ended early, whichever program wrote it.
struct Failure {
  int line = 0;
  int weight = 0;  ///< 5 the benchmark's own words, 4 memory or time ran out, 3 a device failed, 2 a signal,
                   ///< 1 the launcher's aftermath
  std::string
      text;  ///< a sentence that quotes the line: "line 5: out of memory: 'Detected 1 oom_kill event'"
  friend bool operator==(const Failure&, const Failure&) = default;
};

/// The failure that a line of a scheduler, launcher, kernel or CUDA library speaks of, or nothing.
std::optional<Failure> failure_of(const LogLine& line);

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
