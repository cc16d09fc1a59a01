#include "orchestrator/campaign/prerequisites.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/implementation.hpp"

namespace shakedown {
namespace {

/// The nodes that the cases may run on, without excluded ones; without a batch system this one.
std::vector<std::string> hosts_of(const CampaignRecord& campaign) {
  if (runs_here(campaign.scheduler)) return {host_name()};
  std::vector<std::string> hosts;
  std::unordered_set<std::string> known;
  std::unordered_set<std::string_view> lists;  // most cases run on the same
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    const std::string& list = planned.among.empty() ? planned.hosts : planned.among;
    if (!lists.insert(list).second) continue;
    const auto own = expanded_hostlist(list);
    if (!own) continue;
    for (const std::string& host : *own)
      if (known.insert(host).second) hosts.push_back(host);
  }
  std::erase_if(hosts, [&](const std::string& host) {
    return std::ranges::find(campaign.exclusions, host, &Exclusion::node) != campaign.exclusions.end();
  });
  return hosts;
}

}  // namespace

Result<Prerequisites> looked_for(const CampaignRecord& campaign, const Workspace& workspace,
                                 const Layout& layout, const std::function<void(std::size_t)>& begins) {
  const auto implementations = read_implementations(layout.share / "implementations");
  if (!implementations) return failure_of(implementations);
  Prerequisites found;
  found.needed = needed_by(campaign.cases, *implementations, campaign.site);
  if (found.needed.empty()) return found;
  begins(found.needed.size());
  std::string name = fmt::format("{}-{}", utc_text(now_s()), ::getpid());
  std::ranges::replace(name, ':', '-');
  const fs::path folder = fs::absolute(workspace.folder) / "preflight" / name;
  found.seen =
      preflight(found.needed, {folder, campaign.scheduler, campaign.site, layout, hosts_of(campaign)});
  return found;
}

}  // namespace shakedown
