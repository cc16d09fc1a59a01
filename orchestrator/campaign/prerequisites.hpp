#pragma once
#include <functional>
#include <vector>

#include "orchestrator/campaign/preflight.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// What the cases of a campaign need, and what a compute node has of it.
struct Prerequisites {
  std::vector<NeededBy> needed;  ///< empty: nothing that could be looked at
  Preflight seen;
};

/// Looks at one of the campaign's nodes, where its cases need anything: `begins` is told how many things
/// before that, since a job may wait for its node. Fails only where the implementations can't be read.
Result<Prerequisites> looked_for(const CampaignRecord& campaign, const Workspace& workspace,
                                 const Layout& layout, const std::function<void(std::size_t)>& begins);

}  // namespace shakedown
