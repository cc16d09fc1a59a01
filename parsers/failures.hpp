#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/text_source.hpp"
#include "parsers/lines.hpp"

namespace shakedown {

/// What made a run end without its result.
enum class FailureKind {
  benchmark,          ///< the benchmark itself reports what is wrong
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
  no_result,     ///< no line gives a reason
};

/// "out-of-memory", "gpu-out-of-memory", "time-limit", ...: for machines, never changed.
std::string_view to_string(FailureKind kind);
/// The kind of that name, or nothing.
std::optional<FailureKind> failure_kind(std::string_view name);

/// A line of a log with the reason why a run ended early, whichever program wrote it.
struct Failure {
  int line = 0;
  int weight = 0;  ///< 5 the benchmark's own words, 4 memory, time, a node or the disk ran out, 3 a device or
                   ///< a library failed, 2 a signal, 1 the launcher's aftermath, 0 nothing is known
  std::string
      text;  ///< a sentence that quotes the line: "line 5: out of memory: 'Detected 1 oom_kill event'"
  FailureKind kind = FailureKind::benchmark;
  friend bool operator==(const Failure&, const Failure&) = default;
};

/// The failure that a line of a scheduler, launcher, kernel or CUDA library reports, or nothing. Lines that
/// only look like one never count: messages of Open MPI, PMIx, srun, NCCL and the loader about what they do
/// without.
std::optional<Failure> failure_in(const LogLine& line);

/// The weightiest failure that a text reports, from the text's current position; one of kind no_result if no
/// line gives a reason. Fails (environment) if the text can't be read.
Result<Failure> failure_of_text(TextSource& text);

/// Whether a launcher's standard error proves that processes of the program began: its report on how they
/// ended. Launchers that fail by themselves never print it.
///
/// Source: messages of Open MPI 4.1 and 5.0, MPICH's Hydra and Slurm's srun on a process that ends with a
/// code other than 0.
bool reports_started_process(std::string_view stderr_text);

/// "line 5: out of memory: '<the line, at most 160 characters>'".
std::string quoted_line(int number, std::string_view what, std::string_view line);

/// Keeps in `main` the weightier of the two; of two as weighty, the first that came.
void note(std::optional<Failure>& main, std::optional<Failure> another);

/// A text that marks a line as a report of a failure.
struct FailurePattern {
  std::string_view needle;
  FailureKind kind = FailureKind::benchmark;
  int weight = 0;
  std::string_view meaning;  ///< "the time limit ended the job"
  /// The line must also contain one of these. None: the needle is enough, and the field may be omitted.
  std::span<const std::string_view> with = {};  // NOLINT(readability-redundant-member-init)
};

/// All of them; the first that matches a line counts. Texts of Slurm, PBS, LSF, Open MPI, MPICH, PALS, the
/// Linux kernel, glibc, the shell, CUDA, HIP and NCCL.
std::span<const FailurePattern> failure_patterns();

/// Lines with one of these texts never report a failure, whatever else they contain.
std::span<const std::string_view> benign_texts();

/// Finds which of several texts a long one contains, in a single search: a table of four adjacent bytes shows
/// which may begin there, and only those are compared. The table has each needle by its first four bytes and
/// by the four from its second on, so only every other position is looked up.
class Needles {
 public:
  static constexpr size_t shortest = 5;  ///< bytes

  /// Each of at least `shortest` bytes, at most 32,767 of them; they must outlive this.
  explicit Needles(std::vector<std::string_view> needles);

  /// Calls `found(i)` for each place in `text` at which the needle `i` begins.
  template <class Found>
  void search(std::string_view text, Found found) const {
    const auto look = [&](size_t at) {
      for (std::uint16_t next = first_[slot(text.data() + at)]; next != 0; next = following_[next - 1U]) {
        const size_t needle = (next - 1U) / 2;
        const size_t before = (next - 1U) % 2;  // bytes of the needle before the four
        if (at >= before && text.substr(at - before).starts_with(needles_[needle])) found(needle);
      }
    };
    constexpr size_t step = 2;
    constexpr size_t together = 4;  // a branch for each place costs more than the look
    size_t at = 0;
    for (; at + (together - 1) * step + width <= text.size(); at += together * step) {
      const char* place = text.data() + at;
      const unsigned any = first_[slot(place)] | first_[slot(place + step)] | first_[slot(place + 2 * step)] |
                           first_[slot(place + 3 * step)];
      if (any != 0)
        for (size_t i = 0; i < together; ++i) look(at + i * step);
    }
    for (; at + width <= text.size(); at += step) look(at);
  }

 private:
  static constexpr size_t width = 4;         ///< bytes that are looked at together
  static constexpr unsigned slot_bits = 13;  ///< the table stays in the first-level cache

  /// Four bytes hashed by a multiplication (Knuth, TAOCP 3, 6.4), in this machine's order of bytes.
  static size_t slot(const char* at) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return (value * 2654435769U) >> (32U - slot_bits);
  }
  std::vector<std::string_view> needles_;
  std::array<std::uint16_t, 1U << slot_bits> first_{};  ///< 1 + 2 x needle + bytes before the four; 0: none
  std::vector<std::uint16_t> following_;                ///< the next in the same slot
};

}  // namespace shakedown
