#include "reports/environment_difference.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/statistics/median.hpp"

namespace shakedown {
namespace {

using Values = std::map<std::string, std::set<std::string>>;  // by the name of a fact
using ByNode = std::map<std::string, std::map<std::string, std::string>>;

/// The nodes that a campaign's attempts ran on.
std::set<std::string> nodes_of(const CampaignRecord& campaign) {
  std::set<std::string> nodes;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      const std::string& list = !attempt.hosts.empty()          ? attempt.hosts
                                : !record.planned.hosts.empty() ? record.planned.hosts
                                                                : attempt.host;
      if (auto hosts = expanded_hostlist(list)) nodes.insert(hosts->begin(), hosts->end());
    }
  return nodes;
}

std::string list_of(const std::set<std::string>& values) {
  const std::vector<std::string> all(values.begin(), values.end());
  return joined(all, ", ");
}

std::string folded(const std::set<std::string>& nodes) {
  const std::vector<std::string> all(nodes.begin(), nodes.end());
  return folded_hostlist(all);
}

/// What each case ran, by suite and build.
Values software(const CampaignRecord& campaign) {
  Values found;
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    const std::string build = planned.suite + "/" + planned.implementation;
    if (!planned.container.image.empty())
      found["container of " + build].insert(
          planned.container.image + (planned.container.digest.empty() ? "" : " ") + planned.container.digest);
    for (const AttemptRecord& attempt : record.attempts) {
      if (!attempt.program_sha256.empty())
        found["executable of " + build].insert(attempt.program + " " + attempt.program_sha256);
      for (const ResultRecord& result : attempt.results)
        if (!result.parsed.version.empty()) found["version of " + build].insert(result.parsed.version);
    }
  }
  return found;
}

/// Facts that were noted on nodes, but for those that are another job's with each job.
ByNode noted(const CampaignRecord& campaign) {
  ByNode facts;
  for (const EnvironmentRecord& record : campaign.environment) {
    static constexpr std::string_view of_jobs[] = {"environment SLURM_", "environment PBS_"};
    if (std::ranges::none_of(of_jobs, [&](auto prefix) { return record.name.starts_with(prefix); }))
      facts[record.name][record.node] = record.value;
  }
  return facts;
}

void add_noted(std::vector<EnvironmentDifference>& found, const CampaignRecord& before,
               const CampaignRecord& after) {
  const ByNode here = noted(before);
  const ByNode there = noted(after);
  std::set<std::string> names;
  for (const auto* side : {&here, &there})
    for (const auto& [name, values] : *side) names.insert(name);
  for (const std::string& name : names) {
    const auto old = here.find(name);
    const auto fresh = there.find(name);
    // Nodes with one change share a line; a node that only one campaign had says nothing of a change.
    std::map<std::pair<std::string, std::string>, std::set<std::string>> changes;
    std::set<std::string> nodes;
    for (const auto* side :
         {old == here.end() ? nullptr : &old->second, fresh == there.end() ? nullptr : &fresh->second})
      if (side != nullptr)
        for (const auto& [node, value] : *side) nodes.insert(node);
    for (const std::string& node : nodes) {
      const auto was_there = [&](const CampaignRecord& campaign) {
        return std::ranges::find(campaign.environment, node, &EnvironmentRecord::node) !=
               campaign.environment.end();
      };
      if (!was_there(before) || !was_there(after)) continue;
      const auto value = [&](const ByNode& side) {
        const auto fact = side.find(name);
        if (fact == side.end()) return std::string();
        const auto at = fact->second.find(node);
        return at == fact->second.end() ? std::string() : at->second;
      };
      if (auto change = std::pair(value(here), value(there)); change.first != change.second)
        changes[std::move(change)].insert(node);
    }
    for (const auto& [change, hosts] : changes)
      found.push_back({name, change.first, change.second, folded(hosts)});
  }
}

/// The median over the attempts that were watched, as it is shown; empty: none was.
std::string usual(const CampaignRecord& campaign, double Conditions::*member, double scale,
                  const char* shape) {
  std::vector<double> values;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      if (const std::optional<Conditions>& seen = attempt.conditions)
        values.push_back((*seen).*member * scale);
  return values.empty() ? "" : fmt::format(fmt::runtime(shape), median(std::move(values)));
}

void add_neighbours(std::vector<EnvironmentDifference>& found, const CampaignRecord& before,
                    const CampaignRecord& after) {
  const auto take = [&](const char* what, double Conditions::*member, double scale, const char* shape) {
    EnvironmentDifference each{what, usual(before, member, scale, shape), usual(after, member, scale, shape),
                               ""};
    if (each.before != each.after) found.push_back(std::move(each));
  };
  take("CPUs busy with other processes", &Conditions::foreign_cores, 1, "{:.1f}");
  take("CPU time that the hypervisor took", &Conditions::steal_ratio, 100, "{:.0f} %");
}

}  // namespace

std::vector<EnvironmentDifference> environment_differences(const CampaignRecord& before,
                                                           const CampaignRecord& after) {
  std::vector<EnvironmentDifference> found;
  const auto nodes_before = nodes_of(before);
  const auto nodes_after = nodes_of(after);
  if (nodes_before != nodes_after) found.push_back({"nodes", folded(nodes_before), folded(nodes_after), ""});
  if (!before.inventory.groups.empty() && !after.inventory.groups.empty())
    for (const auto& change : differences(before.inventory, after.inventory))
      found.push_back({change.what, change.before, change.after, change.hosts});
  const Values ran_before = software(before);
  for (const auto& [name, values] : software(after))
    if (const auto old = ran_before.find(name); old != ran_before.end() && old->second != values)
      found.push_back({name, list_of(old->second), list_of(values), ""});
  add_noted(found, before, after);
  add_neighbours(found, before, after);
  if (before.tool_version != after.tool_version)
    found.push_back({"shakedown", before.tool_version, after.tool_version, ""});
  return found;
}

}  // namespace shakedown
