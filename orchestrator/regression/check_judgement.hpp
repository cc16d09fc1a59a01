#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check_history.hpp"
#include "orchestrator/regression/repeats.hpp"
#include "reports/judge/regression.hpp"

namespace shakedown {

/// A scheduled check as it stands: judged, or in want of more runs.
struct CheckState {
  CheckVerdict verdict;
  std::vector<WantedRepeats> wanted;  ///< that suspicions ask for, and may still give a value
  std::vector<std::string> left_out;  ///< runs that are no values: "<case>/attempt-1"
  CheckHistory history;               ///< this check included
  CampaignRecord campaign;
};

/// Judges what a check has measured so far. First a node that has changed since its last check is noted in
/// the workspace's log: its series begin anew. `asked`: the repeats of the last round; where they gave no
/// value, no more are wanted, and the check says so.
Result<CheckState> check_state(const Workspace& workspace, const std::string& id,
                               const Regression& regression, const Layout& layout,
                               const std::vector<WantedRepeats>& asked = {});

}  // namespace shakedown
