#include "orchestrator/campaign/node_changes.hpp"

#include <algorithm>
#include <map>

#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr std::string_view variable_mark = "environment ";
constexpr std::string_view setting = "address space randomisation";

std::map<std::string, std::string> facts_of(const CampaignRecord& campaign, const std::string& node) {
  std::map<std::string, std::string> facts;
  for (const EnvironmentRecord& record : campaign.environment)
    if (record.node == node && !record.name.starts_with(variable_mark) && record.name != setting)
      facts[record.name] = record.value;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (const NodeState& state : attempt.nodes) {
        if (state.node != node) continue;
        for (const NodeReading& reading : state.readings) {
          const ReadingName* name = reading_name(reading.name);
          if (reading.before && name != nullptr && name->is_version)
            facts[reading_title(reading)] = *reading.before;
        }
      }
  return facts;
}

std::string or_none(const std::string& text) {
  return text.empty() ? "none" : text;
}

}  // namespace

std::vector<std::string> node_changes(const CampaignRecord& before, const CampaignRecord& after,
                                      const std::string& node) {
  std::vector<std::string> found;
  for (const Change& change : differences(before.inventory, after.inventory)) {
    const auto hosts = expanded_hostlist(change.hosts);
    if (hosts && std::ranges::find(*hosts, node) != hosts->end())
      found.push_back(
          fmt::format("{}: {} -> {}", change.what, or_none(change.before), or_none(change.after)));
  }
  const auto old = facts_of(before, node);
  for (const auto& [name, value] : facts_of(after, node))
    if (const auto was = old.find(name); was != old.end() && was->second != value)
      found.push_back(fmt::format("{}: {} -> {}", name, was->second, value));
  return found;
}

}  // namespace shakedown
