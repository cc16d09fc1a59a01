#include "orchestrator/cli/text/next_step_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/judge/next_step.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

/// The process that a sentence names: "(pid 4242," is 4242; 0: none.
int named_pid(std::string_view text) {
  constexpr std::string_view mark = "(pid ";
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return 0;
  const std::string_view rest = text.substr(at + mark.size());
  return static_cast<int>(parsed_integer(rest.substr(0, rest.find_first_not_of("0123456789"))).value_or(0));
}

/// Whether a run was on this host.
bool ran_here(const CampaignRecord& campaign, const std::string& case_id) {
  const auto record =
      std::ranges::find(campaign.cases, case_id, [](const CaseRecord& each) { return each.planned.id; });
  return record != campaign.cases.end() && !record->attempts.empty() &&
         record->attempts.back().host == host_name();
}

/// The step, where the process that it names is gone: nobody can end it.
NextStep without_gone_process(NextStep step, const CampaignRecord& campaign) {
  const int pid = named_pid(step.cause);
  std::error_code code;
  if (!step.first.starts_with("the operator ends ") || pid <= 0 || !ran_here(campaign, step.case_id) ||
      std::filesystem::exists(fmt::format("/proc/{}", pid), code))
    return step;
  step.first = "the operator waits until the machine is calm";
  return step;
}

}  // namespace

std::string with_stops_once(std::string text, const CampaignRecord& campaign, std::size_t kept) {
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      const std::string& sentence = attempt.failure;
      if (sentence.empty() || !stopped_by_hand(attempt)) continue;
      const std::string_view how = how_stopped_by_hand(attempt);
      std::size_t found = 0;
      for (std::size_t at = text.find(sentence); at != std::string::npos; at = text.find(sentence, at)) {
        const bool keep = found++ < kept;
        constexpr std::string_view twice = "stopped: ";
        if (!keep && std::string_view(text).substr(0, at).ends_with(twice)) {
          at -= twice.size();
          text.erase(at, twice.size());
        }
        if (!keep) text.replace(at, sentence.size(), how);
        at += keep ? sentence.size() : how.size();
      }
    }
  return text;
}

std::string next_step_text(const Outcome& outcome, const std::filesystem::path& workspace) {
  const CampaignRecord& campaign = outcome.campaign.record;
  const NextStep step = without_gone_process(
      next_step(outcome.campaign, outcome.judgement, workspace, Workspace{workspace}.campaign(campaign.id)),
      campaign);
  const std::string next = next_step_words(step);
  return (step.cause.empty() ? "" : fmt::format("cause    {}\n", with_stops_once(step.cause, campaign, 0))) +
         (next.empty() ? "" : fmt::format("next     {}\n", next));
}

}  // namespace shakedown
