#include "reports/compare/environment_facts.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {

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
