#include "orchestrator/cli/text/next_step.hpp"

#include <fmt/format.h>
#include <pwd.h>

#include <algorithm>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/regression.hpp"
#include "reports/judge/disturbance.hpp"

namespace shakedown {
namespace {

/// The criterion that decides: a mandatory one of the verdict that weighs most.
const CriterionResult* deciding(const Judgement& judgement) {
  for (const Verdict verdict :
       {Verdict::fail, Verdict::invalid, Verdict::not_run, Verdict::undecided, Verdict::not_comparable})
    for (const CriterionResult& each : judgement.criteria)
      if (each.severity == CriterionSeverity::mandatory && !each.waived && each.verdict == verdict)
        return &each;
  return nullptr;
}

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

/// Whether measuring again may decide it: something disturbed it, or a screen is refuted.
bool is_disturbed(const CriterionResult& criterion) {
  return !criterion.disturbed.empty() || (criterion.verdict == Verdict::undecided && criterion.withheld);
}

NextStep of_disturbed(const Judgement& judgement, const CriterionResult& criterion,
                      const CampaignRecord& campaign, const std::string& again) {
  for (const Disturbance& each : judgement.disturbances) {
    if (each.sentence != criterion.disturbed) continue;
    const std::string cause = with_user_names(each.sentence, campaign, each.case_id);
    if (each.cause == Disturbance::Cause::processes || each.cause == Disturbance::Cause::left_over)
      return {cause, again,
              each.program.empty() ? "give this machine a rest" : "end it, or wait until it has ended"};
    if (each.cause != Disturbance::Cause::not_recorded) return {cause, again};
    return {cause, "", "measure longer: a run below half a second shows nothing of what disturbs it"};
  }
  return {criterion.because, again};
}

}  // namespace

NextStep next_step(const Outcome& outcome, const std::filesystem::path& workspace) {
  const Judgement& judgement = outcome.judgement;
  const CampaignRecord& campaign = outcome.campaign.record;
  if (judgement.exit_code == 0 || judgement.check) return {};
  const auto command = [&](const std::string& words) { return command_for(words, workspace); };
  const std::string resume = command("resume " + campaign.id);
  const std::string detail =
      judgement.sentence.substr(std::min(judgement.sentence.find(": ") + 2, judgement.sentence.size()));
  if (judgement.exit_code == 4) return {detail, command("doctor")};
  if (judgement.criteria.empty())
    return {"no criteria were given", command("report " + campaign.id + " --criteria FILE --reason TEXT")};
  const CriterionResult* criterion = deciding(judgement);
  if (criterion == nullptr)
    return campaign.state == CampaignState::finished || is_external(campaign)
               ? NextStep{detail, command("report " + campaign.id), "restore what was changed"}
               : NextStep{detail, resume};
  const std::string cause = fmt::format("{}: {}", criterion->id, criterion->because);
  if (is_disturbed(*criterion) && !is_external(campaign))
    return of_disturbed(judgement, *criterion, campaign, command("resume --disturbed " + campaign.id));
  const std::filesystem::path log = Workspace{workspace}.campaign(campaign.id) / criterion->evidence_path;
  const std::string parse = criterion->evidence_path.empty()
                                ? std::string()
                                : "shakedown parse --rules all " + shell_quoted(log.string());
  switch (criterion->verdict) {
    case Verdict::not_run:
      return {cause, is_external(campaign) ? command("import FILE") : resume};
    case Verdict::fail:
    case Verdict::invalid:
    case Verdict::undecided:
      return {cause, parse};
    default:
      return {cause, command("report " + campaign.id)};
  }
}

std::string next_step_text(const NextStep& step) {
  if (step.cause.empty()) return "";
  std::string text = fmt::format("cause    {}\n", step.cause);
  if (step.command.empty() && step.first.empty()) return text;
  return text + fmt::format("next     {}{}{}\n", step.first,
                            step.first.empty() || step.command.empty() ? "" : ", then: ", step.command);
}

}  // namespace shakedown
