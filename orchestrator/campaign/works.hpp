#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/dispatcher.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Between SIGTERM and SIGKILL at the end of an attempt.
inline constexpr double grace_s = 10;

/// The time limit of a case with its grace period; 0: it has none.
double limit_with_grace(const Case& planned);

/// The nodes that a campaign's cases are given out to: all of its inventory and those that its cases name;
/// without a batch system this machine alone.
std::vector<std::string> node_pool(const CampaignRecord& campaign, const SchedulerTraits& traits);

/// What dispatching must know of each case, in the plan's order. Without a batch system they begin in that
/// order.
std::vector<Work> works_of(const CampaignRecord& campaign, const std::vector<std::string>& pool,
                           const SchedulerTraits& traits);

}  // namespace shakedown
