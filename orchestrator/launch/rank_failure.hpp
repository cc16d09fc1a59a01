#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// The ranks of a program that failed by themselves, as their launcher reports them.
struct RankFailure {
  enum class How {
    exit_code,
    signal,
    out_of_memory,  ///< ended by the kernel for the memory that they took
    abort,          ///< called MPI_Abort, or exited without MPI_Finalize: the program's own decision
    not_executed,   ///< the program could not be executed there
    node_lost,      ///< the launcher lost the node, or its own daemon there
  };
  How how = How::exit_code;
  int code = 0;  ///< the exit code, the signal's number or MPI_Abort's error code
  // NOLINTBEGIN(readability-redundant-member-init): g++ 12 wants one where an initialiser leaves it out
  std::vector<int> ranks{};          ///< ascending; empty: not reported
  std::vector<std::string> hosts{};  ///< in the order of the ranks, each once; empty: not reported
  std::string reason{};              ///< of `not_executed`, in the launcher's words; empty: none
  std::string ended_by{};  ///< who then ended the other ranks: "Slurm", "mpirun"; empty: not reported
  // NOLINTEND(readability-redundant-member-init)
  /// The launcher reports the first to fail and no other: more may have.
  bool first_only = false;
  friend bool operator==(const RankFailure&, const RankFailure&) = default;
};

/// "rank 5 on cn3 ended with signal 11 (segmentation fault)", "ranks 2-3 on cn2 ended with exit code 7"; with
/// "; Slurm then ended the other ranks" where there were others of `ranks` in all.
std::string failure_text(const RankFailure& failure, int ranks);

/// Whether a memory or instruction fault ended a rank, which nobody sends: its signal, or 128 + signal as a
/// shell or container around the program reports it.
bool is_fault(RankFailure::How how, int code);

/// "signal 11 (segmentation fault)"; "signal 99" where it has no common name.
std::string signal_text(int signal);

/// The number of a signal by its name in strsignal(3), which launchers print: "Segmentation fault".
std::optional<int> signal_number(std::string_view name);

}  // namespace shakedown
