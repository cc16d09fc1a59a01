#include "orchestrator/cli/text/scheduler_limits.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "orchestrator/campaign/works.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {
namespace {

std::vector<std::string> hosts_of(std::string_view hostlist) {
  auto hosts = expanded_hostlist(hostlist);
  return hosts ? *std::move(hosts) : std::vector<std::string>();
}

JobRequest job_request_of(const Case& planned) {
  const std::string& among = planned.bound || planned.among.empty() ? planned.hosts : planned.among;
  return {planned.nodes, limit_with_grace(planned), hosts_of(among)};
}

std::string comment(std::string_view text) {
  std::string lines;
  for (const std::string_view line : split(text, '\n')) lines += fmt::format("# {}\n", line);
  return lines;
}

/// Nodes that get no jobs now, or only until others have them, those of one reason together.
std::string nodes_without_jobs(Scheduler& scheduler, const Inventory& inventory) {
  std::vector<std::string> hosts;
  for (const NodeGroup& group : inventory.groups)
    for (std::string& host : hosts_of(group.hosts)) hosts.push_back(std::move(host));
  const auto known_nodes = scheduler.nodes(hosts);
  if (!known_nodes) return comment(to_string(known_nodes.error()));
  std::map<std::string, std::vector<std::string>> reasons;
  for (const SchedulerNode& node : *known_nodes) {
    if (node.kind == SchedulerNode::Kind::out) reasons["gets no jobs: " + node.reason].push_back(node.host);
    if (node.free_until_s) reasons["gets jobs that end before: " + node.reason].push_back(node.host);
  }
  std::string text;
  for (const auto& [reason, nodes] : reasons)
    text += fmt::format("# {} {}\n", folded_hostlist(nodes), reason);
  return text;
}

}  // namespace

Result<std::unique_ptr<Scheduler>> informed_scheduler(const NewCampaign& campaign, const std::string& file) {
  const auto chosen = chosen_scheduler(campaign);
  if (!chosen || runs_here(*chosen)) return nullptr;
  auto made = make_scheduler(*chosen, {campaign.site, installed_layout()});
  if (!made) return nullptr;
  auto learned = (*made)->query_limits();
  if (learned) return made;
  Error error = std::move(learned.error());
  if (!file.empty() && error.where.starts_with("[site]")) {
    error.where = fmt::format("{} {}", file, error.where);
    error.hint += fmt::format("{}correct {} and start again", error.hint.empty() ? "" : "; ", file);
  }
  return tl::unexpected<Error>(std::move(error));
}

std::string scheduler_limits_text(Scheduler& scheduler, const NewCampaign& campaign) {
  const auto limits = scheduler.limits();
  if (limits.empty()) return {};
  std::string text;
  for (const std::string& line : limits) text += comment(line);
  text += nodes_without_jobs(scheduler, campaign.inventory);
  for (const std::string& line : never_run(scheduler, campaign.plan)) text += comment(line);
  return text;
}

std::vector<std::string> never_run(const Scheduler& scheduler, const Plan& plan) {
  using Reason = std::pair<std::string, std::vector<std::string>>;
  std::vector<Reason> reasons;
  for (const Case& planned : plan.cases) {
    std::string why = scheduler.objection(job_request_of(planned));
    if (why.empty()) continue;
    auto it = std::ranges::find(reasons, why, &Reason::first);
    if (it == reasons.end()) it = reasons.insert(it, {std::move(why), {}});
    it->second.push_back(planned.id);
  }
  std::vector<std::string> lines;
  lines.reserve(reasons.size());
  for (const auto& [why, ids] : reasons)
    lines.push_back(fmt::format("{} will not run: {}", folded_hostlist(ids), why));
  return lines;
}

}  // namespace shakedown
