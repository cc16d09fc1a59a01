#pragma once
#include <map>
#include <string>
#include <vector>

#include "reports/measure/node_runs.hpp"

namespace shakedown {

/// By node: what it gave in each earlier campaign, relative to the median of the nodes of that campaign, as
/// rates (higher is better). Campaigns of fewer than `fewest_screened` such nodes are left out, since they
/// don't tell the level of their day, and of a node what it gave before the last thing that was declared to
/// have happened to it.
using PastRatios = std::map<std::string, std::vector<double>>;
PastRatios past_ratios(const ScreenRuns& runs, const CampaignRecord& campaign, const NodePast& past);

}  // namespace shakedown
