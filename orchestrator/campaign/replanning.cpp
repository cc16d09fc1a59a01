#include "orchestrator/campaign/replanning.hpp"

#include <algorithm>

#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/planning/derivation.hpp"

namespace shakedown {
namespace {

/// Two hostlists as one, each host once.
std::string with_hosts(const std::string& hostlist, const std::vector<std::string>& more) {
  std::vector<std::string> hosts;
  if (const auto known = expanded_hostlist(hostlist)) hosts = *known;
  for (const std::string& host : more)
    if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  return folded_hostlist(hosts);
}

}  // namespace

Result<std::optional<PlanOptions>> planned_options(const CampaignRecord& campaign) {
  if (campaign.planned_by.empty()) return std::optional<PlanOptions>();
  auto options = plan_options_from_json(campaign.planned_by);
  if (!options)
    return fail(campaign.id, fmt::format("'planned_by' of its campaign.json: {}", options.error().what));
  return std::optional(*std::move(options));
}

Result<std::vector<Case>> planned_again(const CampaignRecord& campaign,
                                        const std::vector<std::string>& without, const Layout& layout) {
  auto found = planned_options(campaign);
  if (!found) return failure_of(found);
  std::optional<PlanOptions>& planned = *found;
  if (!planned) return fail(campaign.id, "its plan was given as a file and can't be derived again");
  PlanOptions options = *std::move(planned);
  Acceptance acceptance;
  if (!campaign.config_text.empty()) {
    auto read = configured_facts(campaign.kind, campaign.config_text, options.config);
    if (!read) return failure_of(read);
    acceptance = *std::move(read);
  }
  options.exclude = with_hosts(options.exclude, without);
  for (AcceptanceRun& run : acceptance.runs)
    if (!run.exclude.empty()) run.exclude = with_hosts(run.exclude, without);
  auto plan = derived_plan(options, acceptance, campaign.inventory, layout);
  if (!plan) return failure_of(plan);
  return std::move(plan->cases);
}

}  // namespace shakedown
