#include "orchestrator/campaign/operator_exclusion.hpp"

#include <algorithm>

#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/stop_note.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {
namespace {

constexpr const char* option = "--exclude";

bool is_excluded(const CampaignRecord& campaign, const std::string& node) {
  return std::ranges::find(campaign.exclusions, node, &Exclusion::node) != campaign.exclusions.end();
}

/// The hosts named that are not excluded yet. Fails where they are none, no nodes of the campaign, or all
/// that are left.
Result<std::vector<std::string>> chosen_nodes(const CampaignRecord& campaign, const std::string& hostlist) {
  const auto hosts = expanded_hostlist(hostlist);
  if (!hosts) return fail(option, hosts.error().what, hosts.error().hint);
  SchedulerTraits traits;
  traits.outlives_us = true;
  const std::vector<std::string> pool = node_pool(campaign, traits);
  for (const std::string& host : *hosts)
    if (std::ranges::find(pool, host) == pool.end())
      return fail(option, fmt::format("{} is no node of {}{}", host, campaign.id, did_you_mean(host, pool)),
                  fmt::format("its nodes are {}", folded_hostlist(pool)));
  std::vector<std::string> fresh;
  std::ranges::copy_if(*hosts, std::back_inserter(fresh),
                       [&](const std::string& host) { return !is_excluded(campaign, host); });
  const bool any_left = std::ranges::any_of(pool, [&](const std::string& host) {
    return !is_excluded(campaign, host) && std::ranges::find(fresh, host) == fresh.end();
  });
  if (!any_left)
    return fail(option, fmt::format("{} would leave no node to run on", hostlist),
                "exclude fewer; `shakedown cancel` ends the campaign");
  return fresh;
}

}  // namespace

Result<std::vector<std::string>> exclude_by_operator(const Workspace& workspace, const std::string& id,
                                                     const OperatorExclusion& wanted,
                                                     const LockOptions& options) {
  if (std::ranges::any_of(wanted.reason, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return fail("--reason", "holds a line break or another control character", "state it in one line");
  const fs::path folder = workspace.campaign(id);
  auto lock = CampaignLock::take(folder, options);
  if (!lock) return failure_of(lock);
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  if (is_external(*campaign))
    return fail(option, fmt::format("{} holds logs of runs made elsewhere: nothing of it runs", id),
                "leave it out");
  if (runs_here(campaign->scheduler))
    return fail(option, fmt::format("{} runs on this machine alone", id), "leave it out");
  auto nodes = chosen_nodes(*campaign, wanted.hosts);
  if (!nodes || nodes->empty()) return nodes;
  auto database = Database::open(workspace.database(), options);
  if (!database) return failure_of(database);
  if (auto added = database->add_campaign(*campaign); !added) return failure_of(added);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  const StopNote note = stop_note(option);
  const std::string because = fmt::format("by the operator ({} on {}){}{}", note.by, note.host,
                                          wanted.reason.empty() ? "" : ": ", wanted.reason);
  for (const std::string& node : *nodes)
    if (auto noted = journal->exclude(node, because); !noted) return failure_of(noted);
  if (auto put = database->put_exclusions(id, journal->excluded()); !put) return failure_of(put);
  return nodes;
}

}  // namespace shakedown
