#include "orchestrator/campaign/node_changes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr std::string_view variable_mark = "environment ";
constexpr std::string_view hash_mark = "sha256 ";
constexpr std::string_view setting = "address space randomisation";

/// What runs the program that a record is the hash of: "gemm/reference"; none: it is no such record.
std::vector<std::string> roles_of(const CampaignRecord& campaign, const std::string& name) {
  std::set<std::string> roles;
  if (!name.starts_with(hash_mark)) return {};
  const std::string path = name.substr(hash_mark.size());
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    if (planned.program == path || std::ranges::find(planned.argv, path) != planned.argv.end())
      roles.insert(planned.suite + "/" + planned.implementation);
  }
  return {roles.begin(), roles.end()};
}

/// The programs of each role on a node: their hashes, with the records that hold them.
using Programs = std::map<std::string, std::map<std::string, std::string>>;
Programs programs_of(const CampaignRecord& campaign, const std::string& node) {
  Programs programs;
  for (const EnvironmentRecord& record : campaign.environment)
    if (record.node == node)
      for (const std::string& role : roles_of(campaign, record.name))
        programs[role].emplace(record.value, record.name);
  return programs;
}

/// A role whose programs are others: wherever they lie, since a version is often a part of the path.
void put_program_changes(std::vector<std::string>& found, const Programs& before, const Programs& after) {
  std::set<std::string> told;
  for (const auto& [role, programs] : after) {
    const auto was = before.find(role);
    if (was == before.end()) continue;
    for (const auto& [hash, name] : programs) {
      if (was->second.contains(hash)) continue;
      const auto gone =
          std::ranges::find_if(was->second, [&](const auto& each) { return !programs.contains(each.first); });
      if (gone == was->second.end()) continue;  // one more beside the same
      const auto& [old_hash, old_name] = *gone;
      const std::string text = old_name == name ? fmt::format("{}: {} -> {}", name, old_hash, hash)
                                                : fmt::format("program of {}: {} {} -> {} {}", role, old_name,
                                                              old_hash, name, hash);
      if (told.insert(text).second) found.push_back(text);
    }
  }
}

std::map<std::string, std::string> facts_of(const CampaignRecord& campaign, const std::string& node) {
  std::map<std::string, std::string> facts;
  for (const EnvironmentRecord& record : campaign.environment)
    if (record.node == node && !record.name.starts_with(variable_mark) && record.name != setting &&
        roles_of(campaign, record.name).empty())
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
    const bool of_all = change.hosts.empty();  // fabric, storage
    if (of_all || (hosts && std::ranges::find(*hosts, node) != hosts->end()))
      found.push_back(
          fmt::format("{}: {} -> {}", change.what, or_none(change.before), or_none(change.after)));
  }
  const auto old = facts_of(before, node);
  for (const auto& [name, value] : facts_of(after, node))
    if (const auto was = old.find(name); was != old.end() && was->second != value)
      found.push_back(fmt::format("{}: {} -> {}", name, was->second, value));
  put_program_changes(found, programs_of(before, node), programs_of(after, node));
  return found;
}

}  // namespace shakedown
