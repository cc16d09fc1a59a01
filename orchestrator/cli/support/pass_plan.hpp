#pragma once
#include <span>
#include <string>
#include <vector>

#include "orchestrator/campaign/pass_history.hpp"
#include "orchestrator/cli/support/planning.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/regression.hpp"

namespace shakedown {

/// How many of a system's nodes the passes have seen.
struct Coverage {
  int nodes = 0;           ///< of the kind that passes are planned for
  int seen = 0;            ///< within the promised days; without a promise ever
  int days = 0;            ///< promised; 0: none
  std::string oldest;      ///< the node that was not seen for longest
  double oldest_days = 0;  ///< since then, or since the first pass where it never was
  [[nodiscard]] std::string text() const;
};
Coverage coverage_of(const Regression& regression, std::span<const std::string> hosts,
                     const PassHistory& history, double now_s);

/// What a pass is going to do.
struct PassPlan {
  Plan plan;
  PlanOptions options;                 ///< that the plan follows from
  Regression regression;               ///< with the runs that fit
  std::vector<std::string> runs;       ///< labels of those
  std::vector<std::string> notes;      ///< what was left to later passes, and why
  std::vector<MissingSeries> missing;  ///< what can't be planned at all
  std::string busy;                    ///< why there is no pass now; empty: there is one
};

/// What a run of the configuration measures: "hpl reference, 4 nodes".
std::string run_label(const AcceptanceRun& run);

/// Chooses idle nodes, those longest not seen first, and as many runs as the budget has time for, those
/// longest not made first; one at least. Fails where nothing of the configuration can be planned.
/// `file`: the configuration's, for errors.
Result<PassPlan> planned_pass(const Regression& regression, const std::string& file,
                              const Inventory& inventory, const PassHistory& history, Scheduler& scheduler);

}  // namespace shakedown
