#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/pass_history.hpp"
#include "orchestrator/cli/support/pass_repeats.hpp"
#include "orchestrator/plan/regression.hpp"
#include "reports/regression.hpp"

namespace shakedown {

/// A scheduled pass as it stands: judged, or in want of more runs.
struct PassStanding {
  PassVerdict verdict;
  std::vector<WantedRepeats> wanted;  ///< that suspicions ask for, and may still give a value
  std::vector<std::string> left_out;  ///< runs that are no values: "<case>/attempt-1"
  PassHistory history;                ///< this pass included
  CampaignRecord campaign;
};

/// Judges what a pass has measured so far. First a node that is another one since its last pass is noted in
/// the workspace's log: its series begin anew. `asked`: the repeats of the last round; where they gave no
/// value, no more are wanted, and the pass says so.
Result<PassStanding> pass_standing(const Workspace& workspace, const std::string& id,
                                   const Regression& regression, const Layout& layout,
                                   const std::vector<WantedRepeats>& asked = {});

}  // namespace shakedown
