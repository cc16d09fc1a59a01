#include "parsers/rules/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_named = 4;  // of what differs; the table of nodes has them all

/// The first of a list in a sentence, and how many more there are.
std::string some_of(const std::vector<std::string>& list) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_named, list.size()); ++i) text += (i == 0 ? "" : "; ") + list[i];
  if (list.size() > most_named) text += fmt::format("; and {} more", list.size() - most_named);
  return text;
}

std::string count_of_nodes(std::size_t count) {
  return fmt::format("{} node{}", count, count == 1 ? "" : "s");
}

/// "cn003 gpu2".
std::string place(const NodeState& state, const NodeReading& reading) {
  return reading.device.empty() ? state.node : fmt::format("{} {}", state.node, reading.device);
}

/// The values of a reading, before and after where both are known.
std::vector<std::string> values(const NodeReading& reading) {
  std::vector<std::string> all;
  if (reading.before) all.push_back(*reading.before);
  if (reading.after && reading.after != reading.before) all.push_back(*reading.after);
  return all;
}

/// Why a reading does not cover the whole run; empty: it does.
std::string gap(const NodeReading& reading) {
  if (reading.before && reading.after) return "";
  return reading.before ? "not read after the run" : "not read before the run";
}

bool is_of_gpu(const NodeReading& reading) {
  return reading.device.starts_with("gpu");
}

/// How many GPUs each node has by its group in the inventory; 0: none, or not known.
class GpuCounts {
 public:
  explicit GpuCounts(const Evidence& evidence) {
    if (evidence.inventory == nullptr) return;
    for (const NodeGroup& group : evidence.inventory->groups)
      if (const auto members = expanded_hostlist(group.hosts))
        for (const std::string& node : *members) counts_.emplace(node, group.gpus.size());
    if (const NodeGroup* group = group_of_case(evidence)) of_others_ = group->gpus.size();
  }
  [[nodiscard]] std::size_t of(const std::string& node) const {
    const auto it = counts_.find(node);
    return it == counts_.end() ? of_others_ : it->second;
  }

 private:
  std::unordered_map<std::string, std::size_t> counts_;
  std::size_t of_others_ = 0;
};

/// What is missing of the readings `name` of a node: a look, or a GPU that fell silent.
std::vector<std::string> gaps(const GpuCounts& counts, const NodeState& state, std::string_view name) {
  std::vector<std::string> missing;
  std::size_t seen = 0;
  std::size_t gpus = 0;
  for (const NodeReading& reading : state.readings) {
    if (reading.name != name) continue;
    ++seen;
    gpus += is_of_gpu(reading) ? 1 : 0;
    if (const std::string why = gap(reading); !why.empty())
      missing.push_back(fmt::format("{}: {} was {}", place(state, reading), name, why));
  }
  if (seen == 0) missing.push_back(fmt::format("{}: {}", state.node, name));
  if (gpus > 0)
    if (const std::size_t all = counts.of(state.node); gpus < all)
      missing.push_back(fmt::format("{}: {} of {} of {} GPUs", state.node, name, all - gpus, all));
  return missing;
}

/// Why not all nodes are known; empty: they are.
std::string silent_nodes(const Evidence& evidence) {
  const NodeEvidence& nodes = *evidence.nodes;
  const std::size_t wanted = evidence.planned == nullptr
                                 ? nodes.hosts.size()
                                 : static_cast<std::size_t>(std::max(1, evidence.planned->nodes));
  if (nodes.states.empty()) return "no node reported its settings";
  if (nodes.states.size() >= wanted) return "";
  std::vector<std::string> silent;
  for (const std::string& host : nodes.hosts)
    if (std::ranges::find(nodes.states, host, &NodeState::node) == nodes.states.end()) silent.push_back(host);
  return fmt::format("{} of {} nodes reported their settings{}", nodes.states.size(), wanted,
                     silent.empty() ? "" : fmt::format(", {} did not", folded_hostlist(silent)));
}

const ExpectedSetting* expected(const Evidence& evidence, std::string_view name) {
  const auto it = std::ranges::find(evidence.nodes->settings, name, &ExpectedSetting::name);
  return it == evidence.nodes->settings.end() ? nullptr : &*it;
}

bool has_gpus(const Evidence& evidence) {
  return evidence.inventory != nullptr &&
         std::ranges::any_of(evidence.inventory->groups,
                             [](const NodeGroup& group) { return !group.gpus.empty(); });
}

Finding ecc_on(const Evidence& evidence) {
  const ExpectedSetting* stated = expected(evidence, "ecc");
  if (stated != nullptr && stated->value == "off")
    return passed("delivered with ECC off", 0, "[settings] states so; COND-02 checks the GPUs");
  std::vector<std::string> off;
  std::vector<std::string> unread;
  const GpuCounts counts(evidence);
  std::size_t seen = 0;
  for (const NodeState& state : evidence.nodes->states) {
    bool here = false;
    for (const NodeReading& reading : state.readings) {
      if (reading.name != "ecc") continue;
      here = true;
      ++seen;
      if (reading.before == "off" || reading.after == "off") off.push_back(place(state, reading));
    }
    if (here) std::ranges::move(gaps(counts, state, "ecc"), std::back_inserter(unread));
  }
  if (!off.empty())
    return failed(fmt::format("off on {} of {} GPUs", off.size(), seen), 0,
                  fmt::format("ECC is off: {}", some_of(off)));
  if (std::string why = silent_nodes(evidence); !why.empty()) return unknown(std::move(why));
  if (seen == 0)
    return has_gpus(evidence) || stated != nullptr ? unknown("no GPU reported whether its ECC is on")
                                                   : not_applicable("nodes without GPUs");
  if (!unread.empty()) return unknown(fmt::format("could not be read: {}", some_of(unread)));
  return passed(fmt::format("on, {} GPUs", seen));
}

Finding as_delivered(const Evidence& evidence) {
  const auto settings = evidence.nodes->settings;
  if (settings.empty())
    return not_applicable("not checked: no delivered settings were given ([settings] of the configuration)");
  std::vector<std::string> other;
  std::vector<std::string> unread;
  const GpuCounts counts(evidence);
  for (const ExpectedSetting& setting : settings)
    for (const NodeState& state : evidence.nodes->states) {
      for (const NodeReading& reading : state.readings) {
        if (reading.name != setting.name) continue;
        for (const std::string& value : values(reading))
          if (!as_expected(setting, value))
            other.push_back(fmt::format("{}: {} is {}, not {}", place(state, reading), setting.name, value,
                                        setting.value));
      }
      std::ranges::move(gaps(counts, state, setting.name), std::back_inserter(unread));
    }
  const std::string value =
      fmt::format("{} setting{} on {}", settings.size(), settings.size() == 1 ? "" : "s",
                  count_of_nodes(evidence.nodes->states.size()));
  if (!other.empty()) return failed(value, 0, some_of(other));
  if (std::string why = silent_nodes(evidence); !why.empty()) return unknown(std::move(why), value);
  if (!unread.empty()) return unknown(fmt::format("could not be read: {}", some_of(unread)), value);
  return passed(value);
}

/// Readings that should be equal: all GPUs are compared with each other, other devices by their name.
std::string kind_of_device(std::string_view device) {
  return device.starts_with("gpu") ? "gpu" : std::string(device);
}

Finding uniform(const Evidence& evidence) {
  struct Said {
    std::string where;
    std::string value;
  };
  std::map<std::pair<std::string, std::string>, std::vector<Said>> by_setting;
  std::vector<std::string> unread;
  for (const NodeState& state : evidence.nodes->states)
    for (const NodeReading& reading : state.readings) {
      const ReadingName* name = reading_name(reading.name);
      if (name == nullptr || !name->is_setting) continue;
      if (const std::string why = gap(reading); !why.empty())
        unread.push_back(fmt::format("{}: {} was {}", place(state, reading), reading.name, why));
      for (const std::string& value : values(reading))
        by_setting[{reading.name, kind_of_device(reading.device)}].push_back({place(state, reading), value});
    }
  std::vector<std::string> differing;
  for (const auto& [setting, said] : by_setting) {
    std::map<std::string, int> votes;
    for (const Said& each : said) ++votes[each.value];
    if (votes.size() < 2) continue;
    const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
    for (const Said& each : said)
      if (each.value != most->first)
        differing.push_back(
            fmt::format("{}: {} is {}, elsewhere {}", each.where, setting.first, each.value, most->first));
  }
  const std::string value =
      fmt::format("{} settings on {}", by_setting.size(), count_of_nodes(evidence.nodes->states.size()));
  if (!differing.empty()) return failed(value, 0, some_of(differing));
  if (std::string why = silent_nodes(evidence); !why.empty()) return unknown(std::move(why), value);
  if (!unread.empty()) return unknown(some_of(unread), value);
  return passed(value);
}

std::string described(const NodeState& state, const OtherProcess& neighbour) {
  return fmt::format("{}: {} (pid {}, uid {}{}) kept {} cores busy", state.node,
                     neighbour.command.empty() ? "a process" : neighbour.command, neighbour.pid,
                     neighbour.user, neighbour.job.empty() ? "" : ", job " + neighbour.job,
                     number(neighbour.cores, 3));
}

/// "5 processes of uid 0, 1001 seen; other programs on 2 GPUs": what `alone` counts.
std::string counted_text(std::size_t processes, const std::set<int>& users, std::size_t gpus) {
  std::string text;
  if (processes > 0)
    text = fmt::format("{} process{} of uid {} seen", processes, processes == 1 ? "" : "es",
                       fmt::join(users, ", "));
  if (gpus > 0)
    text += fmt::format("{}other programs on {} GPU{}", text.empty() ? "" : "; ", gpus, gpus == 1 ? "" : "s");
  return text;
}

Finding alone(const Evidence& evidence) {
  std::vector<std::string> seen;
  std::set<int> users;
  std::size_t processes = 0;
  std::vector<std::string> unread;
  for (const NodeState& state : evidence.nodes->states) {
    if (!state.other_processes) unread.push_back(state.node);
    if (state.other_processes)
      for (const OtherProcess& neighbour : *state.other_processes) {
        seen.push_back(described(state, neighbour));
        users.insert(neighbour.user);
        ++processes;
      }
    for (const GpuUse& use : foreign_gpu_use(state))
      seen.push_back(fmt::format("{} {}: {} computed on it", state.node, use.device, use.users));
  }
  if (!seen.empty()) return failed(counted_text(processes, users, seen.size() - processes), 0, some_of(seen));
  if (std::string why = silent_nodes(evidence); !why.empty()) return unknown(std::move(why));
  if (!unread.empty())
    return unknown(fmt::format("the processes of others could not be seen on {}", folded_hostlist(unread)));
  return passed(
      fmt::format("none seen on {}; what ran too shortly to be seen counts by its CPU time, as a disturbance",
                  count_of_nodes(evidence.nodes->states.size())));
}

/// By how many seconds a counter rose during the run; nothing if it was not read before and after.
std::optional<double> rise(const NodeReading& reading) {
  const auto before = parsed_number(reading.before.value_or(""));
  const auto after = parsed_number(reading.after.value_or(""));
  if (!before || !after || *after < *before) return std::nullopt;  // less: the driver was loaded anew
  return *after - *before;
}

Finding not_hot(const Evidence& evidence) {
  std::vector<std::string> slow;
  std::size_t read = 0;
  std::size_t unread = 0;
  double most_power_s = 0;
  for (const NodeState& state : evidence.nodes->states)
    for (const NodeReading& reading : state.readings) {
      const std::optional<double> seconds = rise(reading);
      if (reading.name == "power_held_s") most_power_s = std::max(most_power_s, seconds.value_or(0));
      if (reading.name != "heat_held_s") continue;
      ++(seconds ? read : unread);
      if (seconds && *seconds > 0)
        slow.push_back(fmt::format("{}: for {} s", place(state, reading), number(*seconds, 3)));
    }
  if (!slow.empty())
    return failed(fmt::format("{} of {} GPUs", slow.size(), read), 0,
                  fmt::format("heat held the clocks down: {}", some_of(slow)));
  if (read + unread == 0)
    return has_gpus(evidence) ? unknown("no GPU reported it") : not_applicable("nodes without GPUs");
  if (unread > 0) return unknown(fmt::format("not read before and after on {} GPUs", unread));
  return passed(fmt::format("{} GPU{}; the power limit held clocks down for {} s at most", read,
                            read == 1 ? "" : "s", number(most_power_s, 3)));
}

constexpr std::array conditions_table = {
    Rule{"COND-01", Severity::warning, "ECC is on", "NVML API Reference Guide, nvmlDeviceGetEccMode", ecc_on},
    Rule{"COND-02", Severity::validity, "The nodes have the settings that were delivered",
         "the configuration, [settings]", as_delivered},
    Rule{"COND-03", Severity::warning, "Settings are the same on all nodes, before and after",
         "Hoefler, Belli, Scientific Benchmarking of Parallel Computing Systems, SC15, rule 9", uniform},
    Rule{"COND-04", Severity::warning, "No processes of others are seen on the nodes' CPUs or GPUs",
         "Petrini, Kerbyson, Pakin, The Case of the Missing Supercomputer Performance, SC03", alone},
    Rule{"COND-05", Severity::warning, "Heat did not hold the GPUs' clocks down during the run",
         "NVML API Reference Guide, nvmlDeviceGetViolationStatus, NVML_PERF_POLICY_THERMAL", not_hot},
};

}  // namespace

std::vector<RuleResult> condition_rules(const Evidence& evidence) {
  std::vector<RuleResult> results = applied(conditions_table, evidence);
  // A run with ECC off is none of the machine that was delivered with it; elsewhere it is the site's choice.
  const ExpectedSetting* ecc = expected(evidence, "ecc");
  if (ecc != nullptr && ecc->value == "on") results.front().severity = Severity::validity;
  return results;
}

bool is_on_settings(const RuleResult& rule) {
  return rule.id == "COND-02";
}

bool is_on_other_users(const RuleResult& rule) {
  return rule.id == "COND-04";
}

bool is_undecided(const RuleResult& rule) {
  return rule.severity == Severity::validity && rule.status == RuleStatus::unknown;
}

}  // namespace shakedown
