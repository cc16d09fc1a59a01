#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/campaign/outcome.hpp"

namespace shakedown {

/// The last lines of a command that judged a campaign: why it was not passed, and what to type next.
/// `workspace`: its folder.
std::string next_step_text(const Outcome& outcome, const std::filesystem::path& workspace);

/// Who stopped an attempt, when and where is written out `kept` times; from then on it is "stopped by
/// Ctrl-C".
std::string with_stops_once(std::string text, const CampaignRecord& campaign, std::size_t kept);

}  // namespace shakedown
