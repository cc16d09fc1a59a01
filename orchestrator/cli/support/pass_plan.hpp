#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/pass_history.hpp"
#include "orchestrator/cli/support/node_turns.hpp"
#include "orchestrator/cli/support/planning.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/regression.hpp"

namespace shakedown {

/// What a pass is going to do.
struct PassPlan {
  Plan plan;                       ///< `refused`: what of the configuration can't be measured at all
  PlanOptions options;             ///< that the plan follows from
  Regression regression;           ///< with the runs that fit
  std::vector<std::string> runs;   ///< labels of those
  std::vector<std::string> hosts;  ///< of the system's, that jobs can get
  std::vector<std::string> notes;  ///< what was left to later passes, and why
  std::string busy;                ///< why there is no pass now; empty: there is one
};

/// What a run of the configuration measures: "hpl reference, 4 nodes".
std::string run_label(const AcceptanceRun& run);

/// Asks the scheduler what it allows, chooses idle nodes, those longest not seen first, and as many runs as
/// the budget has time for, those longest not made first; one at least. Fails where nothing of the
/// configuration can be planned. `file`: the configuration's, for errors.
Result<PassPlan> planned_pass(const Regression& regression, const std::string& file,
                              const Inventory& inventory, const PassHistory& history, Scheduler& scheduler);

}  // namespace shakedown
