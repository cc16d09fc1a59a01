#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"

namespace shakedown {

/// The nodes that an operator takes out of a campaign, and why.
struct OperatorExclusion {
  std::string hosts;   ///< hostlist
  std::string reason;  ///< in the operator's words; empty: none was given
};

/// Excludes nodes of a campaign that is not being run, for good: `run_campaign` then gives them no more work
/// and plans again what needed them. Jobs that run there are left to their end, and their results count.
/// Returns the nodes that were not excluded before.
///
/// Fails where the hostlist can't be read, names a host that is no node of the campaign or all that are left,
/// and where the campaign runs on this machine alone or elsewhere; (environment) while somebody runs it. It
/// then changed nothing.
Result<std::vector<std::string>> exclude_by_operator(const Workspace& workspace, const std::string& id,
                                                     const OperatorExclusion& wanted,
                                                     const LockOptions& lock = {});

}  // namespace shakedown
