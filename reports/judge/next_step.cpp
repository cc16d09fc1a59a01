#include "reports/judge/next_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/overall.hpp"

namespace shakedown {
namespace {

/// The criterion that decides: a mandatory one of the verdict that weighs most, else a disturbed one on
/// performance where none on performance was decided.
const CriterionResult* deciding(const Judgement& judgement) {
  for (const Verdict verdict :
       {Verdict::fail, Verdict::invalid, Verdict::not_run, Verdict::undecided, Verdict::not_comparable})
    for (const CriterionResult& each : judgement.criteria)
      if (each.severity == CriterionSeverity::mandatory && !each.waived && each.verdict == verdict)
        return &each;
  const auto disturbed = disturbed_alone(judgement);
  return disturbed.empty() ? nullptr : disturbed.front();
}

/// Whether measuring again may decide it: something disturbed it, or a screen is refuted.
bool is_disturbed(const CriterionResult& criterion) {
  return !criterion.disturbed.empty() ||
         (criterion.verdict == Verdict::undecided && criterion.withheld && criterion.measured);
}

NextStep of_disturbed(const Judgement& judgement, const CriterionResult& criterion,
                      const std::string& again) {
  for (const Disturbance& each : judgement.disturbances) {
    if (each.sentence != criterion.disturbed) continue;
    if (each.cause == Disturbance::Cause::processes || each.cause == Disturbance::Cause::gpus ||
        each.cause == Disturbance::Cause::left_over)
      return {each.sentence, again,
              each.program.empty() ? "give this machine a rest" : "end it, or wait until it has ended",
              each.case_id};
    if (each.cause != Disturbance::Cause::not_recorded) return {each.sentence, again};
    return {each.sentence, "", "measure longer: a run below half a second shows nothing of what disturbs it"};
  }
  return {criterion.because, again};
}

}  // namespace

namespace {

/// Of a campaign that passed: how to measure again what something disturbed. Nothing where it would not help.
NextStep of_disturbed_pass(const Judgement& judgement, const std::string& again) {
  for (const Disturbance& each : judgement.disturbances)
    if (each.cause != Disturbance::Cause::not_recorded)
      return {"it passed, but what was disturbed is not decided: " + each.sentence, again,
              each.program.empty() ? "" : "end it, or wait until it has ended", each.case_id};
  return {};
}

/// A screening is no acceptance: what begins one.
NextStep of_passed_screening() {
  return {"", "shakedown init --from acceptance-h100 -o acceptance.toml",
          "keep this report; if an acceptance test is to follow (init fits the template to this machine)"};
}

/// What disturbed the case that a criterion was judged on; null: nothing, as far as is known.
const Disturbance* disturbance_of(const Judgement& judgement, const CriterionResult& criterion) {
  const auto found = std::ranges::find_if(judgement.disturbances, [&](const Disturbance& each) {
    return each.case_id == criterion.case_id && each.cause != Disturbance::Cause::not_recorded;
  });
  return found == judgement.disturbances.end() ? nullptr : &*found;
}

/// What failed while it was disturbed is to be repeated on an idle machine, before anybody looks for a fault.
/// An invalid result stays invalid in its campaign: then another one repeats it.
NextStep of_disturbed_failure(const CriterionResult& criterion, const Disturbance& disturbed,
                              const std::string& cause, const std::string& again, const std::string& anew) {
  return {fmt::format("{}; it was disturbed: {}", cause, disturbed.sentence),
          criterion.verdict == Verdict::not_run ? again : anew,
          fmt::format("{}repeat it on an idle machine",
                      disturbed.program.empty() ? "" : fmt::format("end {}; ", disturbed.program)),
          disturbed.case_id};
}

/// A node that a campaign excluded gets no more work of it: once it is mended, another campaign measures it.
NextStep of_excluded(const CampaignRecord& campaign, const std::string& cause, const std::string& run) {
  std::vector<std::string> nodes;
  nodes.reserve(campaign.exclusions.size());
  for (const Exclusion& each : campaign.exclusions) nodes.push_back(each.node);
  return {cause, run,
          fmt::format("repair or replace {}, which this campaign excluded", folded_hostlist(nodes))};
}

/// A valid run that missed its limit: its log shows no fault, the machine has one.
NextStep of_slow(const CriterionResult& criterion, const std::string& cause, const std::string& anew) {
  std::vector<std::string> slow;
  for (const NodeResult& each : criterion.nodes)
    if (each.verdict == Verdict::fail) slow.push_back(each.node);
  return {cause, anew,
          slow.empty() ? "find what is slow: the runs are valid"
                       : fmt::format("the runs are valid: find why {} is slow, repair or replace it",
                                     folded_hostlist(slow))};
}

}  // namespace

NextStep next_step(const MeasuredCampaign& measured, const Judgement& judgement,
                   const std::filesystem::path& workspace, const std::filesystem::path& folder) {
  const CampaignRecord& campaign = measured.record;
  if (judgement.check) return {};
  const auto command = [&](const std::string& words) { return command_for(words, workspace); };
  if (judgement.exit_code == 0 && is_external(campaign)) return {};
  if (judgement.exit_code == 0) {
    const NextStep step = of_disturbed_pass(judgement, command("resume --disturbed " + campaign.id));
    return step.cause.empty() && campaign.kind == "screening" ? of_passed_screening() : step;
  }
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
    return of_disturbed(judgement, *criterion, command("resume --disturbed " + campaign.id));
  const std::string configured = "run --config " + shell_quoted((folder / "acceptance.toml").string());
  const std::string anew = command(campaign.kind == "screening" ? "quick" : configured);
  if (const Disturbance* disturbed = disturbance_of(judgement, *criterion);
      disturbed != nullptr && !is_external(campaign) && criterion->verdict != Verdict::not_comparable)
    return of_disturbed_failure(*criterion, *disturbed, cause, command("resume --disturbed " + campaign.id),
                                anew);
  const std::filesystem::path log = folder / criterion->evidence_path;
  const std::string parse = criterion->evidence_path.empty()
                                ? std::string()
                                : "shakedown parse --rules all " + shell_quoted(log.string());
  switch (criterion->verdict) {
    case Verdict::not_run:
      if (campaign.state == CampaignState::finished && !campaign.exclusions.empty())
        return of_excluded(campaign, cause, command(configured));
      return {cause, is_external(campaign) ? command("import FILE") : resume};
    case Verdict::fail:
      if (is_on_performance(*criterion) && !is_external(campaign)) return of_slow(*criterion, cause, anew);
      [[fallthrough]];
    case Verdict::invalid:
    case Verdict::undecided:
      return {cause, parse,
              parse.empty()
                  ? ""
                  : fmt::format("see what the log of {} shows and which rules it breaks",
                                criterion->evidence_path.substr(0, criterion->evidence_path.find('/')))};
    default:
      return {cause, command("report " + campaign.id)};
  }
}

std::string next_step_words(const NextStep& step) {
  return step.first + (step.first.empty() || step.command.empty() ? "" : ", then: ") + step.command;
}

}  // namespace shakedown
