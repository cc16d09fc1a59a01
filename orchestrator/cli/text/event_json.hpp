#pragma once
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/engine.hpp"

namespace shakedown {

/// An event as `--json-events` writes it, one object a line: `"v":1`, `t`, `event`, and what there is to say.
nlohmann::ordered_json event_json(const Event& event);

/// A campaign at one instant: the members of a heartbeat, and `standing` of `status --json`.
nlohmann::ordered_json campaign_progress_json(const CampaignProgress& progress);

}  // namespace shakedown
