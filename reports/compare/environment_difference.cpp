#include "reports/compare/environment_difference.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

std::string list_of(const std::set<std::string>& values) {
  const std::vector<std::string> all(values.begin(), values.end());
  return joined(all, ", ");
}

std::string folded(const std::set<std::string>& nodes) {
  const std::vector<std::string> all(nodes.begin(), nodes.end());
  return folded_hostlist(all);
}

std::set<std::string> nodes_in(const NodeFacts& facts) {
  std::set<std::string> nodes;
  for (const auto& [name, values] : facts)
    for (const auto& [node, value] : values) nodes.insert(node);
  return nodes;
}

std::set<std::string> common(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> both;
  std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
  return both;
}

const std::string& value_at(const NodeFacts& facts, const std::string& name, const std::string& node) {
  static const std::string none;
  const auto fact = facts.find(name);
  if (fact == facts.end()) return none;
  const auto at = fact->second.find(node);
  return at == fact->second.end() ? none : at->second;
}

/// Facts of the nodes that both campaigns have; nodes with one change share a line. `silence_is_none`: what
/// one side does not state about such a node was not there, else it is not known.
void add_facts(std::vector<EnvironmentDifference>& found, const NodeFacts& before, const NodeFacts& after,
               bool silence_is_none) {
  const auto nodes = common(nodes_in(before), nodes_in(after));
  std::set<std::string> names;
  for (const auto* side : {&before, &after})
    for (const auto& [name, values] : *side) names.insert(name);
  std::set<std::tuple<std::string, std::string, std::string>> listed;  // a driver is in the inventory, too
  for (const EnvironmentDifference& each : found) listed.emplace(each.before, each.after, each.hosts);
  for (const std::string& name : names) {
    std::map<std::pair<std::string, std::string>, std::set<std::string>> changes;
    for (const std::string& node : nodes) {
      const std::string& old = value_at(before, name, node);
      const std::string& fresh = value_at(after, name, node);
      if (old != fresh && (silence_is_none || (!old.empty() && !fresh.empty())))
        changes[{old, fresh}].insert(node);
    }
    for (const auto& [change, hosts] : changes) {
      EnvironmentDifference each{name, change.first, change.second, folded(hosts)};
      if (!listed.contains({each.before, each.after, each.hosts})) found.push_back(std::move(each));
    }
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

void add_other_processes(std::vector<EnvironmentDifference>& found, const CampaignRecord& before,
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

EnvironmentKnown environment_known(const CampaignRecord& before, const CampaignRecord& after) {
  EnvironmentKnown known;
  const auto take = [&](std::string_view what, bool on_both_sides) {
    (on_both_sides ? known.on_both_sides : known.unknown).emplace_back(what);
  };
  const auto of_nodes = [&](const char* what, const NodeFacts& old, const NodeFacts& fresh) {
    const std::size_t n = common(nodes_in(old), nodes_in(fresh)).size();
    take(n == 0 ? what : fmt::format("{} of {} node{}", what, n, n == 1 ? "" : "s"), n > 0);
  };
  const auto ran_before = software_facts(before);
  const auto ran_after = software_facts(after);
  const auto ran = [&](std::string_view kind) {
    return std::ranges::any_of(ran_after, [&](const auto& fact) {
      return fact.first.starts_with(kind) && ran_before.contains(fact.first);
    });
  };
  const auto watched = [](const CampaignRecord& campaign) {
    return std::ranges::any_of(campaign.cases, [](const CaseRecord& record) {
      return std::ranges::any_of(record.attempts,
                                 [](const auto& attempt) { return attempt.conditions.has_value(); });
    });
  };
  take("nodes", !nodes_of(before).empty() && !nodes_of(after).empty());
  take("inventory", !before.inventory.groups.empty() && !after.inventory.groups.empty());
  take("executables", ran("executable of "));
  if (ran("container of ")) take("containers", true);
  take("versions in the logs", ran("version of "));
  of_nodes("software and variables", noted_facts(before), noted_facts(after));
  of_nodes("firmware, drivers and settings", setting_facts(before), setting_facts(after));
  take("what others had of the CPUs", watched(before) && watched(after));
  return known;
}

std::vector<EnvironmentDifference> environment_differences(const CampaignRecord& before,
                                                           const CampaignRecord& after) {
  std::vector<EnvironmentDifference> found;
  const auto nodes_before = nodes_of(before);
  const auto nodes_after = nodes_of(after);
  if (nodes_before != nodes_after) found.push_back({"nodes", folded(nodes_before), folded(nodes_after), ""});
  if (!before.inventory.groups.empty() && !after.inventory.groups.empty())
    for (const auto& change : differences(before.inventory, after.inventory))
      found.push_back({change.what, change.before, change.after, change.hosts});
  const auto ran_before = software_facts(before);
  for (const auto& [name, values] : software_facts(after))
    if (const auto old = ran_before.find(name); old != ran_before.end() && old->second != values)
      found.push_back({name, list_of(old->second), list_of(values), ""});
  add_facts(found, noted_facts(before), noted_facts(after), true);
  add_facts(found, setting_facts(before), setting_facts(after), false);
  add_other_processes(found, before, after);
  if (before.tool_version != after.tool_version)
    found.push_back({"shakedown", before.tool_version, after.tool_version, ""});
  return found;
}

NodeFacts noted_facts(const CampaignRecord& campaign) {
  static constexpr std::string_view of_jobs[] = {"environment SLURM_", "environment PBS_"};
  NodeFacts facts;
  for (const EnvironmentRecord& record : campaign.environment)
    if (std::ranges::none_of(of_jobs, [&](auto prefix) { return record.name.starts_with(prefix); }))
      facts[record.name][record.node] = record.value;
  return facts;
}

NodeFacts setting_facts(const CampaignRecord& campaign) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> seen;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (const NodeState& state : attempt.nodes)
        for (const NodeReading& reading : state.readings) {
          const ReadingName* name = reading_name(reading.name);
          if (name == nullptr || !name->is_setting) continue;
          for (const auto& value : {reading.before, reading.after})
            if (value) seen[reading_title(reading)][state.node].insert(*value);
        }
  NodeFacts facts;
  for (const auto& [name, nodes] : seen)
    for (const auto& [node, values] : nodes)
      facts[name][node] = joined(std::vector<std::string>(values.begin(), values.end()), ", ");
  return facts;
}

std::map<std::string, std::set<std::string>> software_facts(const CampaignRecord& campaign) {
  std::map<std::string, std::set<std::string>> found;
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

}  // namespace shakedown
