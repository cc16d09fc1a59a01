#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/dispatcher.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// The nodes that a campaign's cases are given out to: all of its inventory and those that its cases name;
/// without a batch system this machine alone.
std::vector<std::string> node_pool(const CampaignRecord& campaign, const SchedulerTraits& traits);

/// What dispatching must know of each case, in the plan's order. Without a batch system they begin in that
/// order.
std::vector<Work> works_of(const CampaignRecord& campaign, const std::vector<std::string>& pool,
                           const SchedulerTraits& traits);

}  // namespace shakedown
