#include "reports/measure/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {
namespace {

/// What is known of a case when its conditions are asked for.
struct Side {
  const CampaignRecord& campaign;
  const MeasuredCase& record;
  const Comparability& comparability;

  [[nodiscard]] const Case& planned() const { return record.planned; }
  [[nodiscard]] bool on_gpus() const { return computed_on_gpus(planned(), comparability); }
  [[nodiscard]] bool device_known() const { return shakedown::device_known(planned(), comparability); }
};

using Reader = std::optional<Value> (*)(const Side&);

/// A parameter as the logs state it, else as it was planned.
std::optional<Value> parameter(const Side& side, std::string_view name) {
  std::optional<Value> stated;
  for (const CountedResult& counted : side.record.own) {
    const Value* found = find_parameter(counted.result->parsed.parameters, name);
    if (found == nullptr) continue;
    if (stated && !same_condition(name, *stated, *found)) return std::nullopt;
    stated = *found;
  }
  if (stated) return stated;
  const Value* planned = find_parameter(side.planned().parameters, name);
  return planned == nullptr ? std::nullopt : std::optional<Value>(*planned);
}

std::optional<double> numeric_value(const std::optional<Value>& value) {
  if (!value || std::isnan(value_number(*value))) return std::nullopt;
  return value_number(*value);
}

const Gpu* gpu_of(const Side& side) {
  const NodeGroup* group = node_group(side.campaign.inventory, side.planned());
  return group == nullptr || group->gpus.empty() ? nullptr : &group->gpus.front();
}

std::optional<Value> precision(const Side& side) {
  if (auto stated = parameter(side, "precision")) return stated;
  const Value* own = find_parameter(side.comparability.precisions, side.planned().suite);
  return own == nullptr ? std::nullopt : std::optional<Value>(*own);
}

/// The GPU's model: as the log or who imported it states it, else the inventory's.
std::optional<Value> gpu_model(const Side& side) {
  if (auto stated = parameter(side, "gpu")) return stated;
  if (!side.device_known()) return std::nullopt;
  if (!side.on_gpus()) return std::string("none");
  const Gpu* gpu = gpu_of(side);
  return gpu == nullptr ? std::nullopt : std::optional<Value>(gpu->model);
}

/// "native" or "emulated": by rule HPL-02 on each log, else by the plan's environment, else as who imported
/// the log states it.
std::optional<Value> fp64_mode(const Side& side) {
  bool native = !side.on_gpus() && side.device_known();
  for (const CountedResult& counted : side.record.counted)
    for (const RuleResult& rule : counted.result->rules) {
      if (rule.id != "HPL-02") continue;
      if (rule.status == RuleStatus::fail) return std::string("emulated");
      native = native || rule.status != RuleStatus::unknown;  // n/a: a program of CPUs
    }
  if (const Value* set = find_parameter(side.planned().environment, "HPL_EMULATE_DOUBLE_PRECISION")) {
    if (value_text(*set) != "0") return std::string("emulated");
    native = true;
  }
  return native ? std::optional<Value>("native") : parameter(side, "fp64_mode");
}

std::optional<Value> gpu_memory(const Side& side) {
  const Gpu* gpu = gpu_of(side);
  if (gpu == nullptr || gpu->memory_bytes <= 0) return std::nullopt;
  return static_cast<double>(gpu->memory_bytes) / gibi;
}

/// 8 N^2 over the memory of what computes: GPUs, or whole nodes.
std::optional<Value> memory_fraction(const Side& side) {
  const auto N = numeric_value(parameter(side, "N"));
  double bytes = 0;
  if (side.on_gpus()) {
    if (const auto each = numeric_value(gpu_memory(side)))
      bytes = *each * gibi * gpus_used(side.planned(), side.comparability);
  } else if (const NodeGroup* group = node_group(side.campaign.inventory, side.planned())) {
    bytes = static_cast<double>(group->memory_bytes) * side.planned().nodes;
  }
  if (!N || bytes <= 0) return std::nullopt;
  return 8 * *N * *N / bytes;
}

/// The memory of HPCG's problem as its log prints it, per GPU; of the first result that has it.
std::optional<Value> problem_memory(const Side& side) {
  const int gpus = gpus_used(side.planned(), side.comparability);
  if (gpus == 0) return std::nullopt;
  for (const CountedResult& counted : side.record.counted)
    if (const Metric* total = counted.result->parsed.metric("memory_total_gb")) return total->value / gpus;
  return std::nullopt;
}

/// The rules that a precision belongs to, whenever the run was made.
std::optional<Value> rule_epoch(const Side& side) {
  if (auto stated = parameter(side, "rule_epoch")) return stated;
  const auto used = precision(side);
  if (!used) return std::nullopt;
  const Value* epoch = find_parameter(side.comparability.rule_epochs, lower(value_text(*used)));
  return epoch == nullptr ? std::nullopt : std::optional<Value>(*epoch);
}

/// IO500 has a list of exactly ten client nodes beside its main one (io500.org, the lists).
std::optional<Value> list_class(const Side& side) {
  if (auto stated = parameter(side, "list_class")) return stated;
  if (side.planned().nodes < 1) return std::nullopt;
  return std::string(side.planned().nodes == 10 ? "10 client nodes" : "main");
}

/// The version of the benchmark's rules; of the program where the two are one.
std::optional<Value> version(const Side& side) {
  if (auto stated = parameter(side, "version")) return stated;
  for (const CountedResult& counted : side.record.counted)
    if (!counted.result->parsed.version.empty()) return counted.result->parsed.version;
  return std::nullopt;
}

struct Condition {
  std::string_view text;  ///< the value in a sentence
  Reader read;
};

const std::array<std::string, 18> condition_names = {"nodes",
                                                     "gpus",
                                                     "device",
                                                     "gpu",
                                                     "precision",
                                                     "implementation",
                                                     "rpeak_clock",
                                                     "denominator",
                                                     "fp64_mode",
                                                     "memory_fraction",
                                                     "gpu_memory_gib",
                                                     "problem_gb_per_gpu",
                                                     "rule_epoch",
                                                     "list_class",
                                                     "benchmark",
                                                     "version",
                                                     "GBS",
                                                     "N"};

/// In the order of `condition_names`.
const std::array<Condition, condition_names.size()> conditions = {{
    {"{} nodes",
     [](const Side& side) {
       return side.planned().nodes < 1 ? std::nullopt : std::optional<Value>(side.planned().nodes);
     }},
    {"{} GPUs",
     [](const Side& side) {
       if (!gpus_known(side.planned(), side.comparability)) return std::optional<Value>();
       return std::optional<Value>(gpus_used(side.planned(), side.comparability));
     }},
    {"device {}",
     [](const Side& side) {
       return side.device_known() ? std::optional<Value>(side.on_gpus() ? "gpu" : "cpu") : std::nullopt;
     }},
    {"GPU {}", gpu_model},
    {"precision {}", precision},
    {"implementation {}",
     [](const Side& side) { return std::optional<Value>(side.planned().implementation); }},
    {"Rpeak at the {} clock",
     [](const Side& side) -> std::optional<Value> {
       return std::string(side.on_gpus() ? "boost" : "base");  // GpuPeak, cpu_peak_gflops
     }},
    {"denominator: {}", [](const Side&) { return std::optional<Value>(std::string(median_of_screens)); }},
    {"{} FP64", fp64_mode},
    {"memory fraction {}", memory_fraction},
    {"{} GiB of memory per GPU", gpu_memory},
    {"{} GB of problem per GPU", problem_memory},
    {"rules {}", rule_epoch},
    {"list class {}", list_class},
    {"benchmark {}", [](const Side& side) { return parameter(side, "benchmark"); }},
    {"version {}", version},
    {"GBS {}", [](const Side& side) { return parameter(side, "GBS"); }},
    {"N {}", [](const Side& side) { return parameter(side, "N"); }},
}};

const Condition* condition(std::string_view name) {
  const auto it = std::find(condition_names.begin(), condition_names.end(), name);
  return it == condition_names.end() ? nullptr
                                     : &conditions.at(static_cast<size_t>(it - condition_names.begin()));
}

/// "v4.1.0" as "4.1".
std::string plain_version(std::string text) {
  if (text.starts_with('v')) text.erase(0, 1);
  while (text.ends_with(".0")) text.erase(text.size() - 2);
  return text;
}

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
  SeenSetting row{"other programs",
                  most.empty() ? "none by name" : "looked for, and seen",
                  static_cast<int>(watched.size()),
                  {}};
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

std::span<const std::string> known_conditions() {
  return condition_names;
}

std::span<const std::string> statable_conditions() {
  static const std::array<std::string, 9> names = {
      "gpu", "gpus", "precision", "fp64_mode", "rule_epoch", "list_class", "benchmark", "version", "GBS"};
  return names;
}

std::optional<Value> condition_of(std::string_view name, const MeasuredCampaign& campaign,
                                  const MeasuredCase& record, const Comparability& comparability) {
  const Condition* found = condition(name);
  return found == nullptr ? std::nullopt : found->read({campaign.record, record, comparability});
}

std::string bare_condition_text(std::string_view name, const Value& value) {
  if ((name == "nodes" || name == "gpus") && value_number(value) == 0) return "none";
  if (const auto* real = std::get_if<double>(&value)) return number(*real, 3);
  return value_text(value);
}

std::string condition_text(std::string_view name, const Value& value) {
  const Condition* found = condition(name);
  const std::string text = bare_condition_text(name, value);
  if (found == nullptr) return fmt::format("{} {}", name, text);
  std::string sentence = fmt::format(fmt::runtime(found->text), text);
  if (sentence == "1 nodes" || sentence == "1 GPUs") sentence.pop_back();
  return sentence;
}

bool same_condition(std::string_view name, const Value& a, const Value& b) {
  if (name == "version") return plain_version(value_text(a)) == plain_version(value_text(b));
  if (a.index() != 2 && b.index() != 2) return value_number(a) == value_number(b);
  if (name == "precision") return lower(value_text(a)) == lower(value_text(b));
  return value_text(a) == value_text(b);
}

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
