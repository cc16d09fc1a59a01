#include "parsers/failures.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

struct Pattern {
  std::string_view needle;
  int weight;
  std::string_view meaning;
};

/// The first that matches counts. Texts of Slurm, Open MPI, Hydra, glibc, the shell, CUDA and NCCL.
constexpr std::array patterns = {
    Pattern{"DUE TO TIME LIMIT", 4, "the time limit ended the job"},
    Pattern{"DUE TO PREEMPTION", 4, "the job was preempted"},
    Pattern{"DUE TO NODE FAILURE", 4, "a node failed"},
    Pattern{"oom_kill", 4, "out of memory"},
    Pattern{"oom-kill", 4, "out of memory"},
    Pattern{"OOM Killed", 4, "out of memory"},
    Pattern{"Out Of Memory", 4, "out of memory"},
    Pattern{"out of memory", 4, "out of memory"},
    Pattern{"Cannot allocate memory", 4, "out of memory"},
    Pattern{"bad_alloc", 4, "out of memory"},
    Pattern{"problem size too large", 4, "the problem does not fit"},
    Pattern{"CUDA error", 3, "a CUDA call failed"},
    Pattern{"CUBLAS_STATUS_", 3, "a cuBLAS call failed"},
    Pattern{"NCCL WARN", 3, "NCCL complains"},
    Pattern{"NVRM: Xid", 3, "the GPU driver reports an error"},
    Pattern{"error while loading shared libraries", 3, "the program could not be started"},
    Pattern{"CANCELLED AT", 2, "the job was cancelled"},
    Pattern{"Sending Ctrl-C", 2, "the run was interrupted"},
    Pattern{"(signal ", 2, "a signal ended the run"},
    Pattern{"Signal: ", 2, "a signal ended the run"},
    Pattern{"exited on signal", 2, "a signal ended the run"},
    Pattern{"Segmentation fault", 2, "a signal ended the run"},
    Pattern{"Bus error", 2, "a signal ended the run"},
    Pattern{"Illegal instruction", 2, "a signal ended the run"},
    Pattern{"core dumped", 2, "a signal ended the run"},
    Pattern{": Killed", 2, "a signal ended the run"},
    Pattern{"Terminated", 2, "the run was ended from outside"},
    Pattern{"MPI_ABORT was invoked", 1, "the program gave up"},
    Pattern{"BAD TERMINATION", 1, "the launcher reports a failed process"},
    Pattern{"mpirun detected", 1, "the launcher reports a failed process"},
    Pattern{"prterun detected", 1, "the launcher reports a failed process"},
    Pattern{"Exited with exit code", 1, "the launcher reports a failed process"},
    Pattern{"There are not enough slots available", 3, "the launcher found too few slots"},
    Pattern{"command not found", 1, "the program was not found"},
};

/// Whether a line has any of the patterns, in one pass: most lines have none.
bool has_pattern(std::string_view text) {
  static const re2::RE2 any = [] {
    std::string alternatives;
    for (const Pattern& pattern : patterns)
      alternatives += (alternatives.empty() ? "" : "|") +
                      re2::RE2::QuoteMeta(re2::StringPiece(pattern.needle.data(), pattern.needle.size()));
    re2::RE2::Options options;
    options.set_encoding(re2::RE2::Options::EncodingLatin1);
    return re2::RE2(alternatives, options);
  }();
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), any);
}

/// What launchers say after a process of the program has ended badly, and only then.
constexpr std::array<std::string_view, 9> aftermaths = {
    "Primary job  terminated normally",            // Open MPI 4
    "detected that one or more processes exited",  // Open MPI 4 and 5
    "exited on signal",                            // Open MPI
    "MPI_ABORT was invoked",                       // Open MPI
    "application called MPI_Abort",                // MPICH
    "BAD TERMINATION OF ONE OF YOUR APPLICATION",  // Hydra
    "Exited with exit code",                       // srun
    "exiting improperly",                          // Open MPI: left without MPI_Finalize
    "*** An error occurred in MPI_",               // the program's own MPI library
};

}  // namespace

bool tells_of_started_process(std::string_view stderr_text) {
  return std::any_of(aftermaths.begin(), aftermaths.end(), [&](std::string_view phrase) {
    return stderr_text.find(phrase) != std::string_view::npos;
  });
}

std::string quoted_line(int number, std::string_view what, std::string_view line) {
  constexpr size_t most = 160;
  const std::string_view text = trimmed(line);
  return fmt::format("line {}: {}: '{}{}'", number, what, text.substr(0, most),
                     text.size() > most ? "..." : "");
}

std::optional<Failure> failure_of(const LogLine& line) {
  if (has_pattern(line.text))
    for (const Pattern& pattern : patterns)
      if (line.text.find(pattern.needle) != std::string_view::npos)
        return Failure{line.number, pattern.weight, quoted_line(line.number, pattern.meaning, line.text)};
  if (trimmed(line.text) == "Killed")
    return Failure{line.number, 2, quoted_line(line.number, "a signal ended the run", line.text)};
  return std::nullopt;
}

void note(std::optional<Failure>& main, std::optional<Failure> another) {
  if (another && (!main || another->weight > main->weight)) main = std::move(another);
}

}  // namespace shakedown
