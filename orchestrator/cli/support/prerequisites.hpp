#pragma once
#include <functional>
#include <string>
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

/// What was found, a line each, with the way out and the cases that it keeps from running.
std::string prerequisites_text(const Prerequisites& prerequisites);

/// The same as `shakedown.preflight/1`.
std::string prerequisites_json(const Prerequisites& prerequisites);

}  // namespace shakedown
