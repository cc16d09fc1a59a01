#pragma once
#include <vector>

#include "orchestrator/campaign/more_runs.hpp"
#include "reports/measure/node_screen.hpp"

namespace shakedown {

/// How often a suspect node is run again: the median of three is what two of them say.
inline constexpr int repeats_of_suspects = 3;

/// The runs that tell whether the suspects of a campaign are slow: of each figure's case on its node, once
/// where several figures come from one. Those whose runs are planned already, and wait, get no others.
std::vector<MoreRuns> suspect_repeats(const CampaignRecord& campaign, const std::vector<NodeScreen>& screens);

}  // namespace shakedown
