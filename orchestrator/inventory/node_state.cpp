#include "orchestrator/inventory/node_state.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/gpus.hpp"
#include "orchestrator/inventory/software.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

constexpr auto textual = ReadingKind::text;
constexpr auto numeric = ReadingKind::number;
constexpr auto on_off = ReadingKind::on_off;

constexpr std::array node_readings = {
    ReadingName{"kernel", textual, true, "the kernel's release", true},
    ReadingName{"firmware", textual, true, "of the board: vendor, version, date", true},
    ReadingName{"microcode", textual, true, "revision in the processors", true},
    ReadingName{"governor", textual, true, "of the processors' clock"},
    ReadingName{"turbo", on_off, true, "clocks above the base clock"},
    ReadingName{"smt", on_off, true, "several threads per core"},
    ReadingName{"thp", textual, true, "transparent huge pages: always, madvise, never"},
    ReadingName{"numa_balancing", on_off, true, "the kernel moves pages between NUMA nodes"},
    ReadingName{"memory_ecc", textual, true, "of the memory modules, as the kernel's EDAC driver names it"},
    ReadingName{"driver", textual, true, "of the GPUs", true},
    ReadingName{"vbios", textual, true, "firmware of a GPU", true},
    ReadingName{"inforom", textual, true, "configuration image of a GPU", true},
    ReadingName{"ecc", on_off, true, "of a GPU's memory"},
    ReadingName{"mig", on_off, true, "a GPU is cut into instances"},
    ReadingName{"persistence", on_off, true, "the driver stays loaded between programs"},
    ReadingName{"power_limit_w", numeric, true, "of a GPU"},
    ReadingName{"gpu_clock_mhz", numeric, true, "that a GPU's multiprocessors are set to"},
    ReadingName{"memory_clock_mhz", numeric, true, "that a GPU's memory is set to"},
    ReadingName{"nic_firmware", textual, true, "of a network adapter", true},
    ReadingName{"gpu_clock_now_mhz", numeric, false, "at the moment"},
    ReadingName{"gpu_temperature_c", numeric, false, "at the moment"},
    ReadingName{"throttle", textual, false, "why a GPU's clocks are lower than they could be"},
    ReadingName{"power_held_s", numeric, false, "that the power limit held a GPU's clocks down so far"},
    ReadingName{"heat_held_s", numeric, false, "that heat held a GPU's clocks down so far"},
    ReadingName{"gpu_processes", numeric, false, "that compute on a GPU"},
    ReadingName{"gpu_programs", textual, false, "that compute on a GPU, by name and process"},
};

void add(std::vector<NodeReading>& readings, const char* name, std::optional<std::string> value,
         const std::string& device = "") {
  if (value && !value->empty()) readings.push_back({device, name, std::move(value)});
}

std::string switched(bool on) {
  return on ? "on" : "off";
}

/// The values of a file that each of several devices has, each once: "performance, powersave".
std::optional<std::string> values_of(const fs::path& folder, std::string_view prefix, const char* file) {
  std::vector<std::string> values;
  for (const std::string& name : names_in(folder)) {
    if (!name.starts_with(prefix)) continue;
    const auto value = system_value(folder / name / file);
    if (value && std::ranges::find(values, *value) == values.end()) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  return joined(values, ", ");
}

/// The word in brackets of "always [madvise] never".
std::optional<std::string> chosen_word(const fs::path& path) {
  const auto content = system_value(path);
  if (!content) return std::nullopt;
  const std::size_t open = content->find('[');
  const std::size_t close = content->find(']', open);
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  return content->substr(open + 1, close - open - 1);
}

/// Intel's driver reports whether turbo is disabled, the others whether it is enabled.
std::optional<std::string> turbo(const fs::path& cpu) {
  if (const auto off = system_number(cpu / "intel_pstate/no_turbo")) return switched(*off == 0);
  if (const auto on = system_number(cpu / "cpufreq/boost")) return switched(*on != 0);
  return std::nullopt;
}

std::optional<std::string> smt(const fs::path& cpu) {
  const auto control = system_value(cpu / "smt/control");
  if (!control) return std::nullopt;
  return switched(*control == "on");
}

std::optional<std::string> numa_balancing(const fs::path& root) {
  const auto value = system_number(root / "proc/sys/kernel/numa_balancing");
  if (!value) return std::nullopt;
  return switched(*value != 0);
}

std::optional<std::string> memory_ecc(const fs::path& root) {
  const fs::path controllers = root / "sys/devices/system/edac/mc";
  std::vector<std::string> modes;
  for (const std::string& name : names_in(controllers)) {
    if (!name.starts_with("mc")) continue;
    const auto mode = values_of(controllers / name, "dimm", "dimm_edac_mode");
    if (mode && std::ranges::find(modes, *mode) == modes.end()) modes.push_back(*mode);
  }
  if (modes.empty()) return std::nullopt;
  return joined(modes, ", ");
}

constexpr int kernel_threads = 2;     // the parent of all of them
constexpr double least_cores = 0.05;  // of another process; monitoring agents stay below
constexpr std::size_t most_other_processes = 20;

struct ProcessStat {
  std::string command;
  int parent = 0;
  ProcessTime time;
};

/// Fields of /proc/<pid>/stat in an open /proc; the name, in parentheses, may hold anything.
std::optional<ProcessStat> process_stat(int proc, int pid) {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "%d/stat", pid);
  const auto line = system_value(name.data(), proc);
  if (!line) return std::nullopt;
  const std::size_t open = line->find('(');
  const std::size_t close = line->rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  constexpr std::size_t wanted = 20;  // behind the name: up to the start time
  std::array<std::string_view, wanted> fields;
  std::size_t count = 0;
  for (std::string_view rest = std::string_view(*line).substr(close + 1); count < wanted;) {
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
    if (rest.empty()) return std::nullopt;
    fields.at(count) = rest.substr(0, rest.find(' '));
    rest.remove_prefix(fields.at(count++).size());
  }
  const auto field = [&](std::size_t i) { return parsed_integer(fields.at(i)).value_or(0); };
  static const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  ProcessStat stat;
  stat.command = line->substr(open + 1, close - open - 1);
  stat.parent = static_cast<int>(field(1));
  stat.time = {pid, static_cast<unsigned long long>(field(19)),
               static_cast<double>(field(11) + field(12)) / ticks};
  return stat;
}

/// /proc below `root`, open; null where there is none.
struct ProcFolder {
  explicit ProcFolder(const std::filesystem::path& root) : stream(::opendir((root / "proc").c_str())) {}
  ProcFolder(const ProcFolder&) = delete;
  ProcFolder& operator=(const ProcFolder&) = delete;
  ~ProcFolder() {
    if (stream != nullptr) ::closedir(stream);
  }
  [[nodiscard]] int fd() const { return stream == nullptr ? -1 : ::dirfd(stream); }
  /// The processes in it, ascending.
  [[nodiscard]] std::vector<int> pids() const {
    std::vector<int> found;
    if (stream == nullptr) return found;
    while (const dirent* entry = ::readdir(stream)) {
      const std::string_view name = static_cast<const char*>(entry->d_name);
      if (name.find_first_not_of("0123456789") != std::string_view::npos) continue;
      if (const auto pid = parsed_integer(name)) found.push_back(static_cast<int>(*pid));
    }
    std::ranges::sort(found);
    return found;
  }
  DIR* stream;
};

/// Most of the kernel's threads, without reading each: a large node has thousands. Ascending.
std::vector<int> listed_kernel_threads(const std::filesystem::path& root, int proc) {
  const auto parent = process_stat(proc, kernel_threads);
  if (!parent || parent->parent != 0) return {};
  std::vector<int> pids;
  const auto list = system_file(root / "proc/2/task/2/children");
  for (const std::string_view word : words(list ? std::string_view(*list) : std::string_view()))
    if (const auto pid = parsed_integer(word)) pids.push_back(static_cast<int>(*pid));
  std::ranges::sort(pids);
  return pids;
}

/// That of a process among those that ascend; null where it is not one of them.
const ProcessStat* stat_among(const std::vector<ProcessStat>& all, int pid) {
  const auto it =
      std::ranges::lower_bound(all, pid, {}, [](const ProcessStat& each) { return each.time.pid; });
  return it == all.end() || it->time.pid != pid ? nullptr : &*it;
}

std::set<int> ancestry(const std::vector<ProcessStat>& all, int self) {
  std::set<int> line;
  for (int pid = self; pid > 0 && line.insert(pid).second;) {
    const ProcessStat* stat = stat_among(all, pid);
    pid = stat == nullptr ? 0 : stat->parent;
  }
  return line;
}

/// "4711" of ".../job_4711/step_0/...", by which Slurm names its control groups.
std::string job_of(const std::filesystem::path& root, int pid) {
  const auto groups = system_value(root / "proc" / std::to_string(pid) / "cgroup");
  if (!groups) return "";
  constexpr std::string_view mark = "/job_";
  const std::size_t at = groups->find(mark);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + mark.size();
  return groups->substr(begin, groups->find_first_not_of("0123456789", begin) - begin);
}

int user_of(const std::filesystem::path& root, int pid) {
  struct stat info = {};
  return ::stat((root / "proc" / std::to_string(pid)).c_str(), &info) == 0 ? static_cast<int>(info.st_uid)
                                                                           : -1;
}

}  // namespace

std::span<const ReadingName> reading_names() {
  return node_readings;
}

std::string reading_title(const NodeReading& reading) {
  return (reading.device.empty() ? "node's" : reading.device) + " " + reading.name;
}

const ReadingName* reading_name(std::string_view name) {
  const auto it = std::ranges::find(node_readings, name, &ReadingName::name);
  return it == node_readings.end() ? nullptr : &*it;
}

std::vector<GpuUse> foreign_gpu_use(const NodeState& state) {
  std::vector<GpuUse> all;
  for (const NodeReading& count : state.readings) {
    if (count.name != "gpu_processes") continue;
    const bool before = count.before && *count.before != "0";
    const bool after = count.after && *count.after != "0";
    if (!before && !after) continue;
    std::string users = before ? *count.before : *count.after;
    users += users == "1" ? " other process" : " other processes";
    for (const NodeReading& programs : state.readings)
      if (programs.name == "gpu_programs" && programs.device == count.device)
        if (const auto& names = before ? programs.before : programs.after) users += ", " + *names;
    all.push_back({count.device, std::move(users)});
  }
  return all;
}

std::vector<NodeReading> read_node(const fs::path& root, const std::string& library) {
  const fs::path cpu = root / "sys/devices/system/cpu";
  std::vector<NodeReading> readings;
  add(readings, "kernel", kernel_release(root));
  add(readings, "firmware", firmware_version(root));
  add(readings, "microcode", system_value(cpu / "cpu0/microcode/version"));
  add(readings, "governor", values_of(cpu / "cpufreq", "policy", "scaling_governor"));
  add(readings, "turbo", turbo(cpu));
  add(readings, "smt", smt(cpu));
  add(readings, "thp", chosen_word(root / "sys/kernel/mm/transparent_hugepage/enabled"));
  add(readings, "numa_balancing", numa_balancing(root));
  add(readings, "memory_ecc", memory_ecc(root));
  GpuReadings gpus = read_gpu_states(library);
  add(readings, "driver",
      gpus.driver.empty() ? system_value(root / "sys/module/nvidia/version") : std::optional(gpus.driver));
  std::ranges::move(gpus.readings, std::back_inserter(readings));
  for (const std::string& device : names_in(root / "sys/class/infiniband"))
    add(readings, "nic_firmware", system_value(root / "sys/class/infiniband" / device / "fw_ver"), device);
  for (NodeReading& reading : readings)
    if (reading.before) reading.before = valid_utf8(*reading.before);
  return readings;
}

void put_after(NodeState& state, std::vector<NodeReading> now) {
  for (NodeReading& reading : now) {
    const auto same = std::ranges::find_if(state.readings, [&](const NodeReading& each) {
      return each.device == reading.device && each.name == reading.name;
    });
    if (same != state.readings.end())
      same->after = std::move(reading.before);
    else
      state.readings.push_back(
          {std::move(reading.device), std::move(reading.name), std::nullopt, std::move(reading.before)});
  }
}

namespace {

using nlohmann::ordered_json;

std::optional<std::string> optional_text(const ordered_json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) return std::nullopt;
  return it->get<std::string>();
}

NodeReading reading_from(const ordered_json& object) {
  return {object.value("device", ""), object.at("name").get<std::string>(), optional_text(object, "before"),
          optional_text(object, "after")};
}

OtherProcess other_process_from(const ordered_json& object) {
  return {object.at("pid").get<int>(), object.at("user").get<int>(), object.at("command").get<std::string>(),
          object.value("job", ""), object.at("cores").get<double>()};
}

}  // namespace

std::string node_state_json(const NodeState& state) {
  ordered_json document = {{"schema", "shakedown.node/1"}, {"node", state.node}};
  if (state.before_s > 0) document["before_s"] = state.before_s;
  if (state.after_s > 0) document["after_s"] = state.after_s;
  document["readings"] = ordered_json::array();
  for (const NodeReading& reading : state.readings) {
    ordered_json object = ordered_json::object();
    if (!reading.device.empty()) object["device"] = reading.device;
    object["name"] = reading.name;
    if (reading.before) object["before"] = *reading.before;
    if (reading.after) object["after"] = *reading.after;
    document["readings"].push_back(std::move(object));
  }
  if (!state.processes.empty()) {
    document["processes"] = ordered_json::array();
    for (const ProcessTime& each : state.processes)
      document["processes"].push_back({each.pid, each.start_ticks, each.cpu_s});
  }
  if (state.other_processes) {
    document["other_processes"] = ordered_json::array();
    for (const OtherProcess& each : *state.other_processes) {
      ordered_json object = {
          {"pid", each.pid}, {"user", each.user}, {"command", each.command}, {"cores", each.cores}};
      if (!each.job.empty()) object["job"] = each.job;
      document["other_processes"].push_back(std::move(object));
    }
  }
  return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<NodeState> node_state_from_json(std::string_view text, std::string_view name) {
  try {
    const auto document = json_or_thrown<ordered_json>(text);
    NodeState state;
    state.node = document.at("node").get<std::string>();
    state.before_s = document.value("before_s", 0.0);
    state.after_s = document.value("after_s", 0.0);
    for (const ordered_json& each : document.at("readings")) state.readings.push_back(reading_from(each));
    if (const auto it = document.find("processes"); it != document.end())
      for (const ordered_json& each : *it)
        state.processes.push_back(
            {each.at(0).get<int>(), each.at(1).get<unsigned long long>(), each.at(2).get<double>(), false});
    if (const auto it = document.find("other_processes"); it != document.end()) {
      state.other_processes.emplace();
      for (const ordered_json& each : *it) state.other_processes->push_back(other_process_from(each));
    }
    return state;
  } catch (const ordered_json::exception& error) {
    return fail(std::string(name), fmt::format("is no state of a node: {}", error.what()),
                "it is written beside each attempt; a full disk may have cut it");
  }
}

std::optional<std::vector<ProcessTime>> process_times(const std::filesystem::path& root, int self) {
  const ProcFolder proc(root);
  if (proc.stream == nullptr) return std::nullopt;
  const std::vector<int> unread = listed_kernel_threads(root, proc.fd());
  std::vector<ProcessStat> all;
  for (const int pid : proc.pids())
    if (!std::ranges::binary_search(unread, pid))
      if (auto stat = process_stat(proc.fd(), pid)) all.push_back(*std::move(stat));
  // Where the first process is out of sight, so are those of others; and the kernel's threads are seen in
  // the machine's own namespace alone.
  const ProcessStat* parent_of_threads = stat_among(all, kernel_threads);
  if (stat_among(all, 1) == nullptr || parent_of_threads == nullptr || parent_of_threads->parent != 0)
    return std::nullopt;
  const std::set<int> ours = ancestry(all, self);
  std::vector<ProcessTime> times;
  for (const ProcessStat& stat : all)
    if (stat.time.pid != kernel_threads && stat.parent != kernel_threads) {
      times.push_back(stat.time);
      times.back().ours = ours.contains(stat.time.pid);
    }
  return times;
}

std::vector<OtherProcess> other_processes(const std::filesystem::path& root,
                                          const std::vector<ProcessTime>& before,
                                          const std::vector<ProcessTime>& now, double seconds) {
  std::map<int, ProcessTime> known;
  for (const ProcessTime& each : before) known[each.pid] = each;
  std::vector<OtherProcess> found;
  if (!(seconds > 0)) return found;
  const ProcFolder proc(root);
  for (const ProcessTime& each : now) {
    if (each.ours) continue;
    const auto it = known.find(each.pid);
    const bool same = it != known.end() && it->second.start_ticks == each.start_ticks;
    const double cpu_s = each.cpu_s - (same ? it->second.cpu_s : 0);
    if (cpu_s < least_cpu_s || cpu_s / seconds < least_cores) continue;
    const auto stat = process_stat(proc.fd(), each.pid);
    found.push_back({each.pid, user_of(root, each.pid), stat ? valid_utf8(stat->command) : "",
                     job_of(root, each.pid), cpu_s / seconds});
  }
  std::ranges::sort(found, std::ranges::greater(), &OtherProcess::cores);
  if (found.size() > most_other_processes) found.resize(most_other_processes);
  return found;
}

}  // namespace shakedown
