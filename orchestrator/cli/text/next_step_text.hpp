#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/campaign/outcome.hpp"

namespace shakedown {

/// The last lines of a command that judged a campaign: why it was not passed, and what to type next.
/// `workspace`: its folder.
std::string next_step_text(const Outcome& outcome, const std::filesystem::path& workspace);

/// "uid 1000" as "user alice" in a sentence on a case, where it ran on this host and the user has a name
/// here.
std::string with_user_names(std::string text, const CampaignRecord& campaign, const std::string& case_id);

/// Who stopped an attempt, when and where is written out `kept` times; from then on it is "stopped by
/// Ctrl-C".
std::string with_stops_once(std::string text, const CampaignRecord& campaign, std::size_t kept);

}  // namespace shakedown
