#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/campaign/outcome.hpp"

namespace shakedown {

/// The last lines of a command that judged a campaign: why it was not passed, and what to type next.
/// `workspace`: its folder.
std::string next_step_text(const Outcome& outcome, const std::filesystem::path& workspace);

}  // namespace shakedown
