#include "orchestrator/cli/text/next_step_text.hpp"

#include <fmt/format.h>
#include <pwd.h>

#include <algorithm>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/file.hpp"
#include "reports/judge/next_step.hpp"

namespace shakedown {
namespace {

/// "uid 1000" as "user alice", where the run was on this host and the user has a name here.
std::string with_user_names(std::string text, const CampaignRecord& campaign, const std::string& case_id) {
  const auto record =
      std::ranges::find(campaign.cases, case_id, [](const CaseRecord& each) { return each.planned.id; });
  const bool here = record != campaign.cases.end() && !record->attempts.empty() &&
                    record->attempts.back().host == host_name();
  constexpr std::string_view mark = "uid ";
  for (std::size_t at = text.find(mark); here && at != std::string::npos; at = text.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
    if (end == begin) continue;
    const passwd* user = ::getpwuid(static_cast<uid_t>(std::strtoul(text.c_str() + begin, nullptr, 10)));
    if (user != nullptr) text.replace(at, end - at, fmt::format("user {}", user->pw_name));
  }
  return text;
}

}  // namespace

std::string next_step_text(const Outcome& outcome, const std::filesystem::path& workspace) {
  const CampaignRecord& campaign = outcome.campaign.record;
  const NextStep step =
      next_step(outcome.campaign, outcome.judgement, workspace, Workspace{workspace}.campaign(campaign.id));
  const std::string next = next_step_words(step);
  return (step.cause.empty()
              ? ""
              : fmt::format("cause    {}\n", with_user_names(step.cause, campaign, step.case_id))) +
         (next.empty() ? "" : fmt::format("next     {}\n", next));
}

}  // namespace shakedown
