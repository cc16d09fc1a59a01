#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "reports/measure/node_screen.hpp"

namespace shakedown {

/// A case that is to be run more often than was planned.
struct MoreRuns {
  std::string case_id;  ///< of any of its repetitions
  int count = 1;
  /// The node that they are to tell more of: they are bound to it and decide no criterion but of reliability.
  /// Empty: they run and count as those that were planned.
  std::string confirms{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it
};

/// Adds repetitions to a campaign that is not being run, behind all others: `run_campaign` runs them. Of runs
/// that are to tell more of a node none are added while such wait. Fails where it has no such case, and
/// (environment) while somebody runs it.
Result<void> add_runs(const Workspace& workspace, const std::string& id, const std::vector<MoreRuns>& more,
                      const LockOptions& lock = {});

/// How often a suspect node is run again: the median of three is what two of them say.
inline constexpr int repeats_of_suspects = 3;

/// The runs that tell whether the suspects of a campaign are slow: of each figure's case on its node, once
/// where several figures come from one. Those whose runs are planned already, and wait, get no others.
std::vector<MoreRuns> suspect_repeats(const CampaignRecord& campaign, const std::vector<NodeScreen>& screens);

}  // namespace shakedown
