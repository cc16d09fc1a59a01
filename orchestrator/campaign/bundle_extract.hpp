#pragma once
#include <string>
#include <string_view>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// The rows that a store has of a campaign's attempts, a JSON line each: how it ended, the hash of its rows,
/// its results with the verdict of each rule.
std::string store_lines(const CampaignRecord& campaign);

/// What a verdict takes from the store's other campaigns, as a JSON document (`shakedown.others/1`), and
/// back. Fails where the text is none, or names a run that it does not have.
std::string others_json(const OtherCampaigns& others);
Result<OtherCampaigns> others_from_json(std::string_view text, const std::string& name);

}  // namespace shakedown
