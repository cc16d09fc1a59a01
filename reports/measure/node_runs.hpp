#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "reports/measure/node_screen.hpp"

namespace shakedown {

/// The runs of one screen, not judged yet.
struct ScreenRuns {
  NodeScreen screen;  ///< its nodes with their values, and those without
  int ranks = 0;
  int threads_per_rank = 0;
  bool unruled = false;                       ///< results that no rules exist for count
  std::map<std::string, std::size_t> places;  ///< of the screen's nodes, by name
};

/// The runs of a campaign on one node each, by what makes them alike and by metric, in the order of the plan.
/// Results count that may be used as numbers, or would but for their length; a node is the one that the run
/// got. Values that are not finite and above 0 are none.
std::vector<ScreenRuns> node_runs(const CampaignRecord& campaign);

/// By node: what it gave in each earlier campaign, relative to the median of the nodes of that campaign, as
/// rates (higher is better). Campaigns of fewer than `fewest_screened` such nodes are omitted, since they
/// don't show the level of their day, and of a node what it gave before the last thing that was declared to
/// have happened to it.
using PastRatios = std::map<std::string, std::vector<double>>;
PastRatios past_ratios(const ScreenRuns& runs, const CampaignRecord& campaign, const NodePast& past);

}  // namespace shakedown
