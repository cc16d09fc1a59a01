#include "reports/measure/node_conditions.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_others = 6;

/// Who gave a value: nodes, and for their GPUs which.
struct Voters {
  std::map<std::string, std::set<std::string>> devices;  ///< by node
  int votes = 0;
};

/// "cn[003-004]", "cn003 gpu1, gpu2".
std::string named(const Voters& voters) {
  std::vector<std::string> whole;
  std::vector<std::string> parts;
  for (const auto& [node, devices] : voters.devices) {
    if (devices.contains("")) {
      whole.push_back(node);
      continue;
    }
    const std::vector<std::string> list(devices.begin(), devices.end());
    parts.push_back(fmt::format("{} {}", node, joined(list, ", ")));
  }
  if (!whole.empty()) parts.insert(parts.begin(), folded_hostlist(whole));
  if (parts.size() > most_others) {
    const std::string more = fmt::format("{} more nodes", parts.size() - most_others);
    parts.resize(most_others);
    parts.push_back(more);
  }
  return joined(parts, "; ");
}

/// What all nodes gave for one setting, by value.
struct Answers {
  std::map<std::string, Voters> by_value;
  std::set<std::string> nodes;
};

SeenSetting row_of(std::string name, const Answers& answers) {
  SeenSetting row{std::move(name), "", static_cast<int>(answers.nodes.size()), {}};
  const auto usual =
      std::ranges::max_element(answers.by_value, {}, [](const auto& each) { return each.second.votes; });
  row.usual = usual->first;
  for (const auto& [value, voters] : answers.by_value)
    if (value != row.usual) row.others.push_back(fmt::format("{} on {}", value, named(voters)));
  return row;
}

/// Adapters differ by name; GPUs should all be alike.
std::string title_of(const NodeReading& reading) {
  const bool own = reading.device.empty() || reading.device.starts_with("gpu");
  return own ? reading.name : fmt::format("{} {}", reading.name, reading.device);
}

template <class Each>
void for_states(const CampaignRecord& campaign, Each each) {
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (const NodeState& state : attempt.nodes) each(state);
}

/// The other processes seen: none, or who used how much of which node.
std::optional<SeenSetting> seen_other_processes(const CampaignRecord& campaign) {
  std::set<std::string> watched;
  std::map<std::string, double> most;  // cores, by node and program
  for_states(campaign, [&](const NodeState& state) {
    if (!state.other_processes) return;
    watched.insert(state.node);
    for (const OtherProcess& neighbour : *state.other_processes) {
      double& cores = most[fmt::format("{} (uid {}) on {}", neighbour.command, neighbour.user, state.node)];
      cores = std::max(cores, neighbour.cores);
    }
  });
  if (watched.empty()) return std::nullopt;
  SeenSetting row{"other programs", most.empty() ? "none" : "seen", static_cast<int>(watched.size()), {}};
  std::vector<std::pair<double, std::string>> busiest;
  busiest.reserve(most.size());
  for (const auto& [who, cores] : most) busiest.emplace_back(cores, who);
  std::ranges::sort(busiest, std::ranges::greater());
  for (std::size_t i = 0; i < std::min(most_others, busiest.size()); ++i)
    row.others.push_back(fmt::format("{}: up to {:.2f} cores", busiest[i].second, busiest[i].first));
  if (busiest.size() > most_others)
    row.others.push_back(fmt::format("{} more", busiest.size() - most_others));
  return row;
}

}  // namespace

std::vector<SeenSetting> seen_settings(const CampaignRecord& campaign) {
  std::map<std::string, std::map<std::string, Answers>> by_name;  // by reading, then by title
  for_states(campaign, [&](const NodeState& state) {
    for (const NodeReading& reading : state.readings) {
      Answers& answers = by_name[reading.name][title_of(reading)];
      answers.nodes.insert(state.node);
      for (const auto* value : {&reading.before, &reading.after}) {
        if (!*value) continue;
        Voters& voters = answers.by_value[**value];
        voters.devices[state.node].insert(reading.device.starts_with("gpu") ? reading.device : "");
        ++voters.votes;
      }
    }
  });
  std::vector<SeenSetting> rows;
  for (const ReadingName& name : reading_names()) {
    const auto it = by_name.find(std::string(name.name));
    if (!name.is_setting || it == by_name.end()) continue;
    for (const auto& [title, answers] : it->second)
      if (!answers.by_value.empty()) rows.push_back(row_of(title, answers));
  }
  if (auto row = seen_other_processes(campaign)) rows.push_back(*std::move(row));
  return rows;
}

}  // namespace shakedown
