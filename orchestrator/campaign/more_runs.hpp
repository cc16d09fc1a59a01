#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"

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

}  // namespace shakedown
