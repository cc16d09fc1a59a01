#include "orchestrator/inventory/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/merge.hpp"

namespace shakedown {
namespace {

constexpr std::int64_t mebi = 1024 * 1024;

/// A whole number of a record's field: `fallback` where it is absent.
class Numbers {
 public:
  Numbers(const SlurmRecord& record, std::string place) : record_(record), place_(std::move(place)) {}

  std::int64_t number(std::string_view key, std::int64_t fallback, std::int64_t least) {
    const std::string_view text = record_.value(key);
    if (text.empty()) return fallback;
    const auto value = parsed_integer(text);
    if (value && *value >= least && *value <= most) return *value;
    if (!objection_)
      objection_ = Error{place_, fmt::format("{} = '{}' is no number of at least {}", key, text, least),
                         "this is what `scontrol show node -o` printed", Fault::input};
    return std::max<std::int64_t>(fallback, least);
  }
  [[nodiscard]] const std::optional<Error>& objection() const { return objection_; }

 private:
  static constexpr std::int64_t most = 1'000'000'000'000;  // a memory of 10^18 bytes
  const SlurmRecord& record_;
  std::string place_;
  std::optional<Error> objection_;
};

/// "Linux 5.14.0-427.el9.x86_64 #1 SMP ..." -> the release.
std::string kernel_of(std::string_view os) {
  const auto pieces = words(os);
  return pieces.size() >= 2 && pieces[0] == "Linux" ? std::string(pieces[1]) : "";
}

/// The cores that jobs can't have.
int reserved_cores(const SlurmRecord& record, Numbers& numbers, int threads_per_core) {
  const auto count = static_cast<int>(numbers.number("CoreSpecCount", 0, 0));
  if (count > 0) return count;
  const std::string_view list = record.value("CPUSpecList");
  if (list.empty()) return 0;
  int threads = 0;
  for (const std::string_view piece : split(list, ',')) {
    const size_t dash = piece.find('-');
    const auto first = parsed_integer(piece.substr(0, dash));
    const auto last = dash == piece.npos ? first : parsed_integer(piece.substr(dash + 1));
    if (first && last && *last >= *first)
      threads += static_cast<int>(std::min<std::int64_t>(*last - *first, 100'000)) + 1;
  }
  return (threads + threads_per_core - 1) / threads_per_core;
}

Result<void> add_gpus(NodeGroup& node, const SlurmRecord& record) {
  const std::string_view gres = record.value("Gres");
  const auto gpus = gres.empty() ? gpus_of_tres(record.value("CfgTRES")) : gpus_of_gres(gres);
  if (!gpus) return failure_of(gpus);
  for (const SlurmGpus& kind : *gpus) {
    Gpu gpu;
    gpu.model = kind.type;
    node.gpus.insert(node.gpus.end(), static_cast<size_t>(kind.count), gpu);
  }
  node.usable.slurm_gpus = static_cast<int>(node.gpus.size());
  return {};
}

Result<NodeGroup> node_of(const SlurmRecord& record, const std::string& place) {
  Numbers numbers(record, place);
  NodeGroup node;
  node.hosts = record.value("NodeName");
  node.cpu.architecture = record.value("Arch");
  node.cpu.sockets = static_cast<int>(numbers.number("Sockets", 1, 1));
  const auto per_socket = numbers.number("CoresPerSocket", 1, 1);
  node.cpu.threads_per_core = static_cast<int>(numbers.number("ThreadsPerCore", 1, 1));
  const std::int64_t cores = node.cpu.sockets * std::min<std::int64_t>(per_socket, 1'000'000);
  if (cores > 1'000'000) return fail(place, fmt::format("{} cores are more than a node can have", cores));
  node.cpu.cores = static_cast<int>(cores);
  node.cpu.numa_nodes = node.cpu.sockets;
  // Where a node is configured with as many CPUs as cores, Slurm counts cores; else hardware threads.
  const auto cpus = numbers.number("CPUTot", cores * node.cpu.threads_per_core, 1);
  node.usable.slurm_cpus_per_core = static_cast<int>(std::max<std::int64_t>(1, cpus / cores));
  node.memory_bytes = numbers.number("RealMemory", 1, 1) * mebi;
  const int reserved = reserved_cores(record, numbers, node.cpu.threads_per_core);
  const std::int64_t memory_reserved = numbers.number("MemSpecLimit", 0, 0) * mebi;
  node.usable.cores = std::max(1, node.cpu.cores - reserved);
  node.usable.hardware_threads = node.usable.cores * node.cpu.threads_per_core;
  node.usable.memory_bytes = std::max(mebi, node.memory_bytes - memory_reserved);
  if (reserved > 0)
    node.usable.limited_by.push_back(fmt::format("Slurm keeps {} of {} cores", reserved, node.cpu.cores));
  if (memory_reserved > 0)
    node.usable.limited_by.push_back(fmt::format("Slurm's MemSpecLimit keeps {} of {}",
                                                 bytes_text(static_cast<double>(memory_reserved)),
                                                 bytes_text(static_cast<double>(node.memory_bytes))));
  if (auto ok = add_gpus(node, record); !ok) return fail(place, ok.error().what);
  node.software.kernel = kernel_of(record.value("OS"));
  if (const auto& objection = numbers.objection()) return tl::unexpected<Error>(*objection);
  return node;
}

/// What makes two nodes equal to Slurm, as one text.
std::string signature(const SlurmRecord& record) {
  std::string text;
  for (const std::string_view key :
       {"Arch", "CPUTot", "Sockets", "CoresPerSocket", "ThreadsPerCore", "RealMemory", "CoreSpecCount",
        "CPUSpecList", "MemSpecLimit", "Gres", "CfgTRES", "OS"})
    text.append(record.value(key)).push_back('\n');
  return text;
}

/// The nodes as they are read, equal ones together.
struct Found {
  std::vector<NodeGroup> groups;
  std::vector<std::vector<std::string>> hosts;
  std::unordered_map<std::string, size_t> known;
  std::unordered_map<std::string, std::vector<std::string>> barred;  ///< hosts by why
  std::vector<std::string> reasons;                                  ///< in their order
  std::unordered_set<std::string> names;
};

void bar(Found& found, const std::string& host, const std::string& state, std::string_view reason) {
  reason = reason.substr(0, reason.rfind(" ["));  // " [who@when]"
  const std::string why = reason.empty() ? state : fmt::format("{}, '{}'", state, reason);
  auto& hosts = found.barred[why];
  if (hosts.empty()) found.reasons.push_back(why);
  hosts.push_back(host);
}

Result<void> add(Found& found, std::string_view line, const std::string& place) {
  const SlurmRecord record(line);
  const std::string name(record.value("NodeName"));
  if (name.empty())
    return fail(place, "is no line of a node", "expected what `scontrol show node -o` prints: NodeName=...");
  if (!found.names.insert(name).second) return fail(place, fmt::format("node '{}' is listed twice", name));
  if (const auto why = why_no_jobs(record.value("State"))) {
    bar(found, name, *why, record.value("Reason"));
    return {};
  }
  const auto [it, fresh] = found.known.try_emplace(signature(record), found.groups.size());
  if (fresh) {
    auto node = node_of(record, place);
    if (!node) return failure_of(node);
    found.groups.push_back(std::move(*node));
    found.hosts.emplace_back();
  }
  found.hosts[it->second].push_back(name);
  return {};
}

constexpr std::string_view node_keys[] = {
    "NodeName",
    "Arch",
    "CoresPerSocket",
    "CPUAlloc",
    "CPUEfctv",
    "CPUTot",
    "CPULoad",
    "CPUErr",
    "AvailableFeatures",
    "ActiveFeatures",
    "Features",
    "Gres",
    "GresDrain",
    "GresUsed",
    "NodeAddr",
    "NodeHostName",
    "Port",
    "Version",
    "OS",
    "RealMemory",
    "AllocMem",
    "FreeMem",
    "Sockets",
    "Boards",
    "CoreSpecCount",
    "CPUSpecList",
    "MemSpecLimit",
    "State",
    "ThreadsPerCore",
    "TmpDisk",
    "Weight",
    "Owner",
    "MCS_label",
    "NextState",
    "Partitions",
    "BootTime",
    "SlurmdStartTime",
    "LastBusyTime",
    "ResumeAfterTime",
    "CfgTRES",
    "AllocTRES",
    "CapWatts",
    "CurrentWatts",
    "LowestJoules",
    "ConsumedJoules",
    "AveWatts",
    "ExtSensorsJoules",
    "ExtSensorsWatts",
    "ExtSensorsTemp",
    "Reason",
    "Comment",
    "Extra",
    "InstanceId",
    "InstanceType",
    "ReservationName",
    "BcastAddr",
    "GpuSpec",
    "Topology",
    "CertFlags",
};

}  // namespace

Result<Inventory> inventory_from_slurm(std::string_view text, std::span<const std::string> only) {
  const std::unordered_set<std::string_view> wanted(only.begin(), only.end());
  Found found;
  size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trimmed(line).empty()) continue;
    const std::string place = fmt::format("scontrol show node:{}", number);
    if (!wanted.empty() && !wanted.contains(SlurmRecord(line).value("NodeName"))) continue;
    if (auto ok = add(found, line, place); !ok) return failure_of(ok);
  }
  Inventory inventory;
  inventory.source = "Slurm";
  for (size_t i = 0; i < found.groups.size(); ++i) found.groups[i].hosts = folded_hostlist(found.hosts[i]);
  inventory.groups = merged_groups(found.groups, "nodes");
  for (const std::string& why : found.reasons)
    inventory.notes.push_back(
        fmt::format("{}: excluded, Slurm gives them no jobs ({})", folded_hostlist(found.barred[why]), why));
  if (inventory.groups.empty()) {
    if (!inventory.notes.empty())
      return fail_environment("Slurm", "no node takes jobs", inventory.notes.front());
    return fail_environment("Slurm", "there is no node");
  }
  return inventory;
}

namespace {

constexpr int most_gres_gpus = 1024;

/// A list's pieces, where commas within brackets don't count: "gpu:a100:2(S:0,1),nvme:1".
std::vector<std::string_view> outer_pieces(std::string_view text) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    pieces.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return pieces;
}

}  // namespace

Result<std::vector<SlurmGpus>> gpus_of_gres(std::string_view gres) {
  std::vector<SlurmGpus> gpus;
  if (gres.empty() || gres == "(null)") return gpus;
  for (const std::string_view piece : outer_pieces(gres)) {
    const auto parts = split(piece.substr(0, piece.find('(')), ':');
    if (parts.front() != "gpu") continue;
    const auto number = parsed_integer(parts.back());
    const bool counted = parts.size() > 1 && number.has_value();
    const std::int64_t count = counted ? number.value_or(1) : 1;
    const bool typed = parts.size() == 3 || (parts.size() == 2 && !counted);
    if (parts.size() > 3 || (parts.size() == 3 && !counted) || count < 0 || count > most_gres_gpus)
      return fail("", fmt::format("'{}' is no number of GPUs", piece));
    if (count > 0) gpus.push_back({typed ? std::string(parts[1]) : "", static_cast<int>(count)});
  }
  return gpus;
}

Result<std::vector<SlurmGpus>> gpus_of_tres(std::string_view tres) {
  constexpr std::string_view prefix = "gres/gpu";
  std::vector<std::string> typed;
  std::vector<std::string> total;
  for (const std::string_view piece : split(tres, ',')) {
    if (!piece.starts_with(prefix)) continue;
    std::string gres(piece.substr(prefix.size() - 3));
    std::replace(gres.begin(), gres.end(), '=', ':');
    (piece.substr(prefix.size()).starts_with(':') ? typed : total).push_back(std::move(gres));
  }
  return gpus_of_gres(joined(typed.empty() ? total : typed, ","));
}

namespace {

/// States and flags in which Slurm starts no job. Source: sinfo(1), "NODE STATE CODES".
constexpr std::string_view barred[] = {
    "DOWN",         "DRAIN",         "DRAINED",    "DRAINING",    "ERROR",      "FAIL",
    "FAILING",      "FUTURE",        "INVALID",    "INVALID_REG", "NO_RESPOND", "NOT_RESPONDING",
    "POWERED_DOWN", "POWERING_DOWN", "POWER_DOWN", "UNKNOWN",     "PERFCTRS",
};

/// Whether any of the state's flags, without the mark behind it, is one of these.
bool has_flag(std::string_view state, std::span<const std::string_view> flags) {
  return std::ranges::any_of(split(state, '+'), [&](std::string_view flagged) {
    const std::string_view flag = flagged.substr(0, flagged.find_first_of("*~#!%$@^-"));
    return std::ranges::find(flags, flag) != flags.end();
  });
}

}  // namespace

std::optional<std::string> why_no_jobs(std::string_view state) {
  const std::string_view shown = state;
  const size_t end = state.find_last_not_of("*~#!%$@^-");
  const std::string_view suffix = end == state.npos ? state : state.substr(end + 1);
  if (has_flag(state, barred)) return std::string(shown);
  // The base state can have the mark before its flags: "DOWN*+DRAIN".
  if (suffix.find('*') != suffix.npos || state.find("*+") != state.npos) return std::string(shown);
  if (trimmed(state).empty()) return "no state";
  return std::nullopt;
}

bool is_down(std::string_view state) {
  constexpr std::string_view saves_power[] = {"POWERED_DOWN", "POWERING_DOWN", "POWER_DOWN"};
  return why_no_jobs(state).has_value() && !has_flag(state, saves_power);
}

std::vector<Pod> pods_from_slurm(std::string_view text, std::span<const std::string> hosts) {
  // Source: Slurm, src/plugins/topology/{tree,block}, what they print of a record.
  static constexpr std::array<std::string_view, 7> keys = {"SwitchName", "BlockName", "BlockIndex", "Level",
                                                           "LinkSpeed",  "Nodes",     "Switches"};
  std::unordered_set<std::string_view> left(hosts.begin(), hosts.end());
  std::vector<Pod> pods;
  for (const std::string_view line : split(text, '\n')) {
    const SlurmRecord record(line, keys);
    const bool is_leaf = record.value("Level") == "0";
    const std::string_view name = record.value(is_leaf ? "SwitchName" : "BlockName");
    if (name.empty()) continue;
    std::vector<std::string> here =
        expanded_hostlist(record.value("Nodes")).value_or(std::vector<std::string>());
    std::erase_if(here, [&](const std::string& host) { return left.erase(host) == 0; });
    if (!here.empty()) pods.push_back({std::string(name), folded_hostlist(here)});
  }
  return pods.size() > 1 ? pods : std::vector<Pod>();
}

SlurmRecord::SlurmRecord(std::string_view line) : SlurmRecord(line, node_keys) {}

SlurmRecord::SlurmRecord(std::string_view line, std::span<const std::string_view> keys) {
  const auto is_key = [&](std::string_view word) { return std::ranges::find(keys, word) != keys.end(); };
  const char* begin = nullptr;  // of the value that is being read
  for (const std::string_view word : words(line)) {
    const size_t equals = word.find('=');
    if (equals != word.npos && is_key(word.substr(0, equals)) && !has(word.substr(0, equals))) {
      begin = word.data() + equals + 1;
      fields_.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    } else if (begin != nullptr) {
      const char* end = word.data() + word.size();
      fields_.back().second = {begin, static_cast<size_t>(end - begin)};
    }
  }
}

bool SlurmRecord::has(std::string_view key) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const auto& field) { return field.first == key; });
}

std::string_view SlurmRecord::value(std::string_view key) const {
  const auto it = std::find_if(fields_.begin(), fields_.end(), [&](const auto& f) { return f.first == key; });
  if (it == fields_.end()) return {};
  for (const std::string_view nothing : {"(null)", "n/a", "N/A", "n/s"})
    if (it->second == nothing) return {};
  return it->second;
}

}  // namespace shakedown
