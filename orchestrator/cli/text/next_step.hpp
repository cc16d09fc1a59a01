#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/campaign/outcome.hpp"

namespace shakedown {

/// Why a campaign was not passed, and what the user can type next.
struct NextStep {
  std::string cause;    ///< a sentence; empty: it passed
  std::string command;  ///< "shakedown resume --disturbed 2026-11-21T..."; empty: none helps
  std::string first{};  ///< what comes before it: "end it"; empty: nothing
};

/// From what decided the verdict. `workspace`: its folder.
NextStep next_step(const Outcome& outcome, const std::filesystem::path& workspace);

/// The last lines of a command that judged a campaign; empty where it passed.
std::string next_step_text(const NextStep& step);

}  // namespace shakedown
