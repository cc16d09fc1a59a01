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
  /// The node that they are to confirm: they are bound to it and decide no criterion except reliability.
  /// Empty: they run and count as those that were planned.
  std::string confirms{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it
};

/// Adds repetitions to a campaign that is not being run, after all others: `run_campaign` runs them. No runs
/// that confirm a node are added while such runs wait. Fails if it has no such case, and (environment) while
/// somebody runs it.
Result<void> add_runs(const Workspace& workspace, const std::string& id, const std::vector<MoreRuns>& more,
                      const LockOptions& lock = {});

/// How often a suspect node is run again: two of three values decide the median.
inline constexpr int repeats_of_suspects = 3;

/// The runs that show whether the suspects of a campaign are slow: the case of each metric on its node, once
/// if several metrics come from one. Suspects whose planned runs still wait get no others.
std::vector<MoreRuns> suspect_repeats(const CampaignRecord& campaign, const std::vector<NodeScreen>& screens);

}  // namespace shakedown
