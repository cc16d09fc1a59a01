#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/launch/rank_failure.hpp"

namespace shakedown {

/// What a launcher wrote on standard error about the end of a program's processes.
struct LauncherReport {
  std::optional<RankFailure> failure;  ///< nothing: no rank is reported to have failed by itself
  bool cancelled = false;  ///< the step was ended from outside, not known to be by a limit or a node
  bool timed_out = false;  ///< srun gave up waiting for ranks that are not in `ended`
  // NOLINTNEXTLINE(readability-redundant-member-init): g++ 12 wants one where an initialiser leaves it out
  std::vector<int> ended{};  ///< the ranks of whose end srun reports, however it was
};

/// Reads what srun and Open MPI's mpirun (4, and 5 with PRRTE) report.
///
/// `launcher`: that of the case ("mpirun"); mpirun starts its daemons through srun, whose tasks are no ranks
/// then. Pure; never fails: a text that is no such report gives an empty one.
///
/// Source: Slurm 22.05 to 25.05, src/srun, src/slurmd/slurmstepd; Open MPI 4.1, orte/tools/orterun/help;
/// PRRTE 3, src/tools; the forms of Slurm 22.05 and Open MPI 4.1 as printed on virtual nodes.
LauncherReport launcher_report(std::string_view stderr_text, std::string_view launcher);

/// The part of srun. With `--kill-on-bad-exit` it ends all ranks as soon as one has failed, and slurmstepd
/// then calls the step CANCELLED: only a step that was CANCELLED before any rank failed was cancelled by
/// somebody. Of ranks that failed differently, those with a memory or instruction fault count, else the
/// first: the others lost their peers.
LauncherReport srun_report(std::string_view stderr_text);

/// The host of a rank by srun's report of its end; empty: it does not name it.
std::string host_of_task(std::string_view stderr_text, int rank);

/// Why srun could not start a step's tasks on one of `hosts`: "on cn2: Communication connection failure";
/// empty: none is reported. `text` may be of many steps: the last report counts.
std::string launch_refusal(std::string_view text, std::span<const std::string> hosts);

/// The part of mpirun, and of MPI_Abort.
std::optional<RankFailure> mpirun_report(std::string_view stderr_text);

/// Whether a line can be one of srun's, slurmstepd's or MPI_Abort's reports on ends of ranks: all that
/// `launcher_report` needs of a text that is too long, but for its end.
bool reports_end(std::string_view line);

/// The lines of standard error that the program wrote itself: neither srun, slurmstepd or mpirun nor Open
/// MPI's library with its backtraces and framed messages.
std::vector<std::string_view> program_lines(std::string_view stderr_text);

/// What reports of launchers are read with.

/// The whole number that a text begins with.
std::optional<int> leading_number(std::string_view text);

/// The text behind a mark; nothing if the mark is not there.
std::optional<std::string_view> behind(std::string_view text, std::string_view mark);

/// What srun or slurmstepd wrote in a line; it may follow an unfinished line of a program: "progress 53%srun:
/// error: cn3: task 5: Killed"; empty: nothing.
std::string_view launcher_part(std::string_view line);

/// The first word of a text; empty: there is none.
std::string first_word(std::string_view text);

}  // namespace shakedown
