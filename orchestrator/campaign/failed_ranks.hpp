#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/launch/launcher_report.hpp"

namespace shakedown {

/// What the launcher of an attempt reports in its stderr.log. Where it names a rank and not its node, the
/// node is that of the layout that our launchers ask for: `ranks_per_node` consecutive ranks on each of
/// `hosts`, in their order. Empty where nothing can be read. `hosts`: the attempt's; empty: not known.
LauncherReport reported_ranks(const AttemptPlace& place, std::span<const std::string> hosts);

/// The nodes of a run on several that its failure points to: the only node whose ranks failed, or those that
/// its launcher lost or waited for in vain. None if ranks of several nodes failed, which points to the
/// program, and none if the program failed by its own decision: it has printed a result, called MPI_Abort, or
/// its first rank printed something and ended with an exit code.
struct SuspectNodes {
  std::vector<std::string> nodes;
  bool alone = false;  ///< the launcher reports all that failed, and it was this node alone
};
SuspectNodes suspect_nodes(const AttemptRecord& attempt, const AttemptPlace& place,
                           std::span<const std::string> hosts);

/// The last line that an attempt's program printed, on stderr or else on stdout, quoted with its file:
/// "stderr.log ends with 'memory error'". Empty: it printed nothing.
std::string last_words(const AttemptPlace& place);

/// Text of a program for a sentence: without control characters and terminal sequences, at most `bytes`.
std::string plain_text(std::string_view text, size_t bytes);

}  // namespace shakedown
