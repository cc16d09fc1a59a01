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

Demand demand_of(const Case& planned) {
  const std::string& among = planned.bound || planned.among.empty() ? planned.hosts : planned.among;
  return {planned.nodes, limit_with_grace(planned), hosts_of(among)};
}

std::string comment(std::string_view text) {
  std::string lines;
  for (const std::string_view line : split(text, '\n')) lines += fmt::format("# {}\n", line);
  return lines;
}

/// Nodes that get no jobs now, or only until others have them, those of one reason together.
std::string nodes_left_out(Scheduler& scheduler, const Inventory& inventory) {
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

std::string scheduler_limits_text(const NewCampaign& campaign) {
  const auto chosen = chosen_scheduler(campaign);
  if (!chosen) return {};
  const auto made = make_scheduler(*chosen, {campaign.site, installed_layout()});
  if (!made) return {};
  Scheduler& scheduler = **made;
  if (const auto learned = scheduler.learn_limits(); !learned) return comment(to_string(learned.error()));
  const auto limits = scheduler.limits();
  if (limits.empty()) return {};
  std::string text;
  for (const std::string& line : limits) text += comment(line);
  text += nodes_left_out(scheduler, campaign.inventory);
  for (const Case& planned : campaign.plan.cases)
    if (const std::string why = scheduler.objection(demand_of(planned)); !why.empty())
      text += fmt::format("# {} will not run: {}\n", planned.id, why);
  return text;
}

}  // namespace shakedown
