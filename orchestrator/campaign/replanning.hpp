#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// The options that a campaign was planned by; none where its plan was given to it. Fails where they can't be
/// read.
Result<std::optional<PlanOptions>> planned_options(const CampaignRecord& campaign);

/// The cases of a campaign planned again as they were, without the nodes named. Fails where its plan was
/// given to it, or where nothing can be planned on what is left.
Result<std::vector<Case>> planned_again(const CampaignRecord& campaign,
                                        const std::vector<std::string>& without, const Layout& layout);

}  // namespace shakedown
