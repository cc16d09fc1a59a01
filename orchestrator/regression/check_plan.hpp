#pragma once
#include <string>
#include <vector>

#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "orchestrator/regression/check_history.hpp"
#include "orchestrator/regression/node_rotation.hpp"

namespace shakedown {

/// What a check is going to do.
struct CheckPlan {
  Plan plan;                       ///< `refused`: what of the configuration can't be measured at all
  PlanOptions options;             ///< that the plan follows from
  Regression regression;           ///< with the runs that fit
  std::vector<std::string> runs;   ///< labels of those
  std::vector<std::string> hosts;  ///< of the system's, that jobs can get
  std::vector<std::string> notes;  ///< what was postponed to later checks, and why
  std::string busy;                ///< why there is no check now; empty: there is one
};

/// What a run of the configuration measures: "hpl reference, 4 nodes".
std::string run_label(const AcceptanceRun& run);

/// Asks the scheduler what it allows, chooses idle nodes, those not seen for the longest time first, and as
/// many runs as the budget has time for, those not made for the longest time first; one at least. Fails where
/// nothing of the configuration can be planned. `file`: the configuration's, for errors.
Result<CheckPlan> planned_check(const Regression& regression, const std::string& file,
                                const Inventory& inventory, const CheckHistory& history,
                                Scheduler& scheduler);

}  // namespace shakedown
