#include "orchestrator/campaign/reference.hpp"

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/command_line.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

Result<void> check_words(const AcceptanceRequest& request) {
  if (trimmed(request.by).empty())
    return fail("--by", "is empty: an acceptance names who declares it",
                "--by \"A. Smith, Operations\"; it is kept for good");
  if (trimmed(request.why).empty())
    return fail("--why", "is empty: an acceptance says why",
                "--why \"site acceptance, contract 4.2\"; it is kept for good");
  return {};
}

Result<void> check_finished(const Workspace& workspace, const CampaignRecord& campaign) {
  if (const Holder holder = campaign_holder(workspace.campaign(campaign.id)); holder.pid != 0)
    return fail(campaign.id, fmt::format("still runs (process {} on {})", holder.pid, holder.host),
                fmt::format("`{}` shows how far it is", command_for("status", workspace.folder)));
  if (campaign.state != CampaignState::finished)
    return fail(
        campaign.id,
        fmt::format("is {}, not finished: what it lacks may still change its verdict",
                    to_string(campaign.state)),
        fmt::format("`{}` runs what it lacks", command_for("resume " + campaign.id, workspace.folder)));
  return {};
}

Result<void> check_verdict(const Workspace& workspace, const Outcome& outcome) {
  if (outcome.judgement.exit_code == 0) return {};
  return fail(
      outcome.campaign.id,
      fmt::format("can't be the reference of {}: {}", outcome.campaign.system, outcome.judgement.sentence),
      fmt::format(
          "accept a campaign that meets its criteria; where those are to be others, "
          "`{}` judges it by them, beside the old ones",
          command_for("report " + outcome.campaign.id + " --criteria F --reason TEXT", workspace.folder)));
}

}  // namespace

Result<std::optional<Reference>> last_accepted(const Workspace& workspace, const Database& database,
                                               std::string_view system) {
  const auto found = last_acceptance(workspace, system);
  if (!found) return pass_on(found);
  const std::optional<AcceptedCampaign>& acceptance = *found;
  if (!acceptance) return std::optional<Reference>();
  auto campaign = database.campaign(acceptance->campaign);
  if (!campaign)
    return fail(
        workspace.accepted().string(),
        fmt::format("the reference of {} is {} (by {}, {}), and the store does not have it: {}", system,
                    acceptance->campaign, acceptance->by, utc_text(acceptance->at_s), campaign.error().what),
        campaign.error().hint);
  return std::optional(Reference{*acceptance, *std::move(campaign)});
}

Result<AcceptedCampaign> accept_campaign(const Workspace& workspace, const AcceptanceRequest& request,
                                         const Layout& layout) {
  if (auto said = check_words(request); !said) return pass_on(said);
  const auto outcome = judged_campaign(workspace, request.campaign, layout);
  if (!outcome) return pass_on(outcome);
  if (auto finished = check_finished(workspace, outcome->campaign); !finished) return pass_on(finished);
  if (auto verdict = check_verdict(workspace, *outcome); !verdict) return pass_on(verdict);
  AcceptedCampaign acceptance = {outcome->campaign.system, outcome->campaign.id, now_s(),
                                 std::string(trimmed(request.by)), std::string(trimmed(request.why))};
  if (auto read = read_acceptances(workspace); !read)
    return pass_on(read);  // none is added to what is broken
  if (auto appended = append_acceptance(workspace, acceptance); !appended) return pass_on(appended);
  auto database = Database::open(workspace.database());
  if (!database) return pass_on(database);
  if (auto stored = store_declarations(workspace, *database); !stored) return pass_on(stored);
  return acceptance;
}

}  // namespace shakedown
