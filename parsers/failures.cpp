#include "parsers/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "orchestrator/core/secret.hpp"
#include "orchestrator/core/text.hpp"
#include "parsers/failure_patterns.hpp"
#include "parsers/needles.hpp"

namespace shakedown {
namespace {

bool contains_any(std::string_view text, std::span<const std::string_view> needles) {
  return std::any_of(needles.begin(), needles.end(), [&](std::string_view n) { return contains(text, n); });
}

/// Whether a line has any pattern's needle: nearly all have none, and are told so in one pass.
bool has_needle(std::string_view text) {
  static const Needles needles = [] {
    std::vector<std::string_view> all = {"Killed", "Terminated"};
    for (const FailurePattern& pattern : failure_patterns()) all.push_back(pattern.needle);
    return Needles(std::move(all));
  }();
  bool found = false;
  needles.search(text, [&](size_t) { found = true; });
  return found;
}

/// In the order of the kinds.
constexpr std::array<std::string_view, static_cast<size_t>(FailureKind::no_result) + 1> kind_names = {
    "benchmark",    "out-of-memory",   "gpu-out-of-memory", "time-limit", "preempted",    "cancelled",
    "node-failure", "gpu-error",       "nccl-error",        "mpi-error",  "mpi-abort",    "numerical",
    "storage",      "program-missing", "launch-failed",     "signal",     "nonzero-exit", "no-result"};

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

/// Whether a line is a shell's trace, a command that only prints, or a remark: text about failures.
bool is_quoted(std::string_view text) {
  constexpr std::array<std::string_view, 5> starts = {"+ ", "echo ", "note:", "Note:", "NOTE:"};
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view s) { return text.starts_with(s); });
}

}  // namespace

std::string_view to_string(FailureKind kind) {
  return kind_names[static_cast<size_t>(kind)];
}

std::optional<FailureKind> failure_kind(std::string_view name) {
  const auto it = std::find(kind_names.begin(), kind_names.end(), name);
  if (it == kind_names.end()) return std::nullopt;
  return static_cast<FailureKind>(it - kind_names.begin());
}

bool tells_of_started_process(std::string_view stderr_text) {
  return contains_any(stderr_text, aftermaths);
}

std::string quoted_line(int number, std::string_view what, std::string_view line) {
  constexpr size_t most = 160;
  const std::string text = without_secrets(trimmed(line));  // half a secret would not be found
  return fmt::format("line {}: {}: '{}{}'", number, what, std::string_view(text).substr(0, most),
                     text.size() > most ? "..." : "");
}

std::optional<Failure> failure_in(const LogLine& line) {
  if (!has_needle(line.text)) return std::nullopt;
  if (is_quoted(trimmed(line.text)) || contains_any(line.text, benign_texts())) return std::nullopt;
  for (const FailurePattern& pattern : failure_patterns())
    if (contains(line.text, pattern.needle) &&
        (pattern.with.empty() || contains_any(line.text, pattern.with)))
      return Failure{line.number, pattern.weight, quoted_line(line.number, pattern.meaning, line.text),
                     pattern.kind};
  const std::string_view text = trimmed(line.text);
  if (text == "Killed")
    return Failure{line.number, 2, quoted_line(line.number, "a signal ended the run", text),
                   FailureKind::signal};
  if (text == "Terminated")
    return Failure{line.number, 2, quoted_line(line.number, "the run was ended from outside", text),
                   FailureKind::cancelled};
  return std::nullopt;
}

Result<Failure> failure_of_text(TextSource& text) {
  std::optional<Failure> main;
  LogLines lines;
  while (true) {
    const auto piece = text.next();
    if (!piece) return failure_of(piece);
    lines.feed(piece->text, piece->last);
    while (const auto line = lines.next()) note(main, failure_in(*line));
    if (piece->last) break;
  }
  return main.value_or(
      Failure{0, 0, "no line gives the reason why there is no result", FailureKind::no_result});
}

void note(std::optional<Failure>& main, std::optional<Failure> another) {
  if (another && (!main || another->weight > main->weight)) main = std::move(another);
}

}  // namespace shakedown
