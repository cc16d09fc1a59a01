#pragma once
#include <string>
#include <vector>

#include "reports/judge/criteria.hpp"
#include "reports/judge/judgement.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// What happened on the way to a verdict, whichever it is: earlier campaigns, disturbed attempts that do not
/// count, attempts that were stopped by hand or lost. A few words each; none where nothing happened.
std::vector<std::string> circumstances(const Judgement& judgement, const CampaignRecord& campaign);

/// Why the criteria of a campaign that is accepted ask for less than they seem to, or its results prove less:
/// a few words each, none where they do not. None of a screening or a scheduled check.
///
///   - a limit on the side of the metric that is not the good one, of 0, or ten times off what was measured
///   - the best of several runs; a median of one
///   - mandatory criteria whose suite was not planned
///   - a share of the theoretical peak above 100 %
///   - an efficiency over a screen that is below its prediction, and that nothing else judges
///   - other users of the nodes, where the criteria state no limit for disturbances
///   - a log of shakedown's own program where another was planned; one log of several runs
///   - a further run in a log that left no result; a program that failed after its result
///   - nodes that were excluded, cases on fewer nodes than planned
///   - libraries that the plan loads in front of a program's own
///   - no delivered settings, so that no node's were checked
///   - no earlier acceptance in the workspace: those in others are not known
///   - a rule that must be noted (RuleBook::noted) and is not met, or could not be checked
std::vector<std::string> weaknesses(const Judgement& judgement, const Criteria& criteria,
                                    const MeasuredCampaign& campaign, const Comparability& comparability);

}  // namespace shakedown
