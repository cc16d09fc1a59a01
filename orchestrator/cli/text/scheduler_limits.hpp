#pragma once
#include <string>

#include "orchestrator/campaign/engine.hpp"

namespace shakedown {

/// What a campaign's scheduler allows, as comments below a dry run: its limits, the nodes that get no jobs,
/// and the cases that no job could ever run. Empty where this machine runs them itself or no scheduler is
/// here.
std::string scheduler_limits_text(const NewCampaign& campaign);

}  // namespace shakedown
