#pragma once
#include <filesystem>
#include <string>

#include "reports/judge/judgement.hpp"

namespace shakedown {

/// Why a campaign was not passed, if it was not, and what the user can type next.
struct NextStep {
  std::string cause;    ///< a sentence; empty: it passed
  std::string command;  ///< "shakedown resume --disturbed 2026-11-21T..."; empty: none helps
  // NOLINTBEGIN(readability-redundant-member-init): g++ 12 wants one where an initialiser omits it
  std::string first{};    ///< what comes before it: "the operator ends it"; empty: nothing
  std::string case_id{};  ///< of a cause that names processes; empty: it names none
  std::string link{};     ///< between `first` and the command; empty: ", then runs:"
  // NOLINTEND(readability-redundant-member-init)
};

/// From what decided the verdict. `workspace`: where its commands find the campaign; `folder`: where its logs
/// are.
NextStep next_step(const MeasuredCampaign& measured, const Judgement& judgement,
                   const std::filesystem::path& workspace, const std::filesystem::path& folder);

/// What is read before the command: "the operator ends it, then runs:", "the vendor repairs or replaces
/// cn017; then the operator runs:".
std::string before_command(const NextStep& step);

/// "the operator ends it, then runs: shakedown resume ..."; empty where there is nothing to do.
std::string next_step_words(const NextStep& step);

}  // namespace shakedown
