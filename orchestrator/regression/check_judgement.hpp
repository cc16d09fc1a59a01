#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check_history.hpp"
#include "orchestrator/store/record.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/regression.hpp"

namespace shakedown {

/// More runs of a case that the suspicion of a series asks for.
struct WantedRepeats {
  SeriesName series;
  std::string case_id;   ///< of any of its repetitions
  int count = 0;         ///< of runs
  std::size_t runs = 0;  ///< that the series has in this check so far
};

/// The cases that are repetitions of each other: of the same nodes and shape.
bool same_case(const Case& a, const Case& b);

/// Why a case gave no value, by its last attempt: a sentence.
std::string why_missing(const CaseRecord& record);

/// What the suspicions of a verdict ask for.
std::vector<WantedRepeats> wanted_repeats(const CheckVerdict& verdict, const CampaignRecord& campaign,
                                          const CheckHistory& history);

/// Takes out of `wanted` what is asked for in vain: where the round before, which was `asked` for, gave the
/// series no further value, or where as many repeats as are allowed (`alarm.repeats`) were made, failed ones
/// included. Returns why, to be reported as what the check could not measure.
std::vector<MissingSeries> given_up_repeats(std::vector<WantedRepeats>& wanted,
                                            const std::vector<WantedRepeats>& asked,
                                            const CampaignRecord& campaign, const RegressionAlarm& alarm);

/// What of a check's runs counts, by its own logs alone.
struct CheckRuns {
  std::vector<Disturbance> disturbed;  ///< from outside
  std::vector<std::string> left_out;   ///< runs that are no values: "<case>/attempt-1"
  std::vector<MissingSeries> missing;  ///< cases without a value
};
Result<CheckRuns> check_runs(const MeasuredCampaign& campaign, const Regression& regression,
                             const Layout& layout);

/// Adds limits of the floor that a check should have a value for, and has none.
void add_missing_floors(std::vector<MissingSeries>& missing, const std::vector<CheckSeries>& series,
                        const CampaignRecord& campaign, const RegressionFloor& floor);

/// By what a configuration judges.
CheckLimits check_limits(const Regression& regression);

/// The state of a scheduled check: judged, or in need of more runs.
struct CheckState {
  CheckVerdict verdict;
  std::vector<WantedRepeats> wanted;  ///< that suspicions ask for, and may still give a value
  std::vector<std::string> left_out;  ///< runs that are no values: "<case>/attempt-1"
  CheckHistory history;               ///< this check included
  CampaignRecord campaign;
};

/// Judges what a check has measured so far. First a node that has changed since its last check is noted in
/// the workspace's log: the baseline of its series is reset. `asked`: the repeats of the last round; if they
/// gave no value, no more are wanted, and the check reports that.
Result<CheckState> check_state(const Workspace& workspace, const std::string& id,
                               const Regression& regression, const Layout& layout,
                               const std::vector<WantedRepeats>& asked = {});

}  // namespace shakedown
