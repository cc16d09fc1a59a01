#include "orchestrator/launch/run_directory.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/process_identity.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

using json = nlohmann::ordered_json;  // of few members: found faster than in a tree

std::optional<json> document(const fs::path& path) {
  const auto text = file_content(path);
  if (!text) return std::nullopt;
  json parsed = json_or_discarded<json>(*text);
  if (!parsed.is_object()) return std::nullopt;
  return parsed;
}

template <class T>
T field(const json& object, const char* key, T fallback) {
  const auto it = object.find(key);
  if (it == object.end()) return fallback;
  if constexpr (std::is_same_v<T, std::string>)
    return it->is_string() ? it->get<T>() : fallback;
  else if constexpr (std::is_same_v<T, bool>)
    return it->is_boolean() ? it->get<T>() : fallback;
  else
    return it->is_number() ? it->get<T>() : fallback;
}

std::optional<int> optional_int(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number_integer()) return std::nullopt;
  return it->get<int>();
}

std::vector<Orphan> orphans_of(const json& finished) {
  std::vector<Orphan> orphans;
  const auto list = finished.find("orphans");
  if (list == finished.end() || !list->is_array()) return orphans;
  for (const json& each : *list)
    if (each.is_object())
      orphans.push_back({field(each, "pid", 0), field(each, "uid", 0), field(each, "command", std::string()),
                         field(each, "attempt", std::string())});
  return orphans;
}

/// State letter and start time of a process, from /proc/<pid>/stat.
struct LiveProcess {
  char state = 'X';
  unsigned long long start_ticks = 0;
};

std::optional<LiveProcess> live_process(int pid) {
  const auto text = file_content(fmt::format("/proc/{}/stat", pid));
  if (!text) return std::nullopt;
  const size_t name_end = text->rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = words(std::string_view(*text).substr(name_end + 1));
  if (fields.size() < 20 || fields[0].empty()) return std::nullopt;
  return LiveProcess{fields[0][0], std::strtoull(std::string(fields[19]).c_str(), nullptr, 10)};
}

}  // namespace

std::optional<Started> read_started(const fs::path& folder) {
  const auto object = document(folder / "started.json");
  if (!object) return std::nullopt;
  Started started;
  started.host = field(*object, "host", std::string());
  started.pid = field(*object, "pid", 0);
  started.start_ticks = field(*object, "start_ticks", 0ULL);
  started.boot_id = field(*object, "boot_id", std::string());
  started.space = field(*object, "space", std::string());
  started.cgroup = field(*object, "cgroup", std::string());
  started.started_s = field(*object, "started_s", 0.0);
  started.load_before = field(*object, "load_before", 0.0);
  started.abandoned = field(*object, "abandoned", false);
  return started;
}

std::optional<Finished> read_finished(const fs::path& folder) {
  const auto object = document(folder / "finished.json");
  if (!object) return std::nullopt;
  Finished finished;
  finished.state = field(*object, "state", std::string());
  finished.reason = field(*object, "reason", std::string());
  finished.exit_code = optional_int(*object, "exit_code");
  finished.signal = optional_int(*object, "signal");
  finished.started_s = field(*object, "started_s", 0.0);
  finished.finished_s = field(*object, "finished_s", 0.0);
  finished.wall_s = field(*object, "wall_s", 0.0);
  finished.cpus = field(*object, "cpus", 0);
  finished.job_cpu_s = field(*object, "job_cpu_s", 0.0);
  finished.busy_cpu_s = field(*object, "busy_cpu_s", 0.0);
  finished.steal_cpu_s = field(*object, "steal_cpu_s", 0.0);
  finished.all_cpu_s = field(*object, "all_cpu_s", 0.0);
  finished.leftover_processes = field(*object, "leftover_processes", 0);
  finished.orphans_alive = field(*object, "orphans_alive", 0);
  finished.orphans = orphans_of(*object);
  finished.disk_full = field(*object, "disk_full", false);
  finished.unsynced = field(*object, "unsynced", std::string());
  finished.program = field(*object, "program", std::string());
  finished.program_sha256 = field(*object, "program_sha256", std::string());
  return finished;
}

std::optional<double> busy_seconds(const Finished& finished) {
  if (finished.cpus <= 0 || finished.all_cpu_s <= 0) return std::nullopt;
  return finished.busy_cpu_s + finished.steal_cpu_s;
}

double wall_s(const Finished& finished) {
  return std::max(0.0, finished.wall_s > 0 ? finished.wall_s : finished.finished_s - finished.started_s);
}

Result<bool> abandon_unstarted(const fs::path& folder) {
  const fs::path claim = folder / "started.json";
  const fs::path temporary = folder / fmt::format(".abandoned.{}", ::getpid());
  const auto written = write_file(
      temporary,
      fmt::format("{{\"schema\":\"shakedown.started/1\",\"abandoned\":true,\"started_s\":{:.6f}}}\n",
                  now_s()));
  if (!written) return failure_of(written);
  const bool ours = ::link(temporary.c_str(), claim.c_str()) == 0;
  const int code = errno;
  ::unlink(temporary.c_str());
  if (!ours && code != EEXIST)
    return fail_environment(claim.string(), fmt::format("cannot create: {}", std::strerror(code)));
  return ours;
}

bool is_alive(const Started& started) {
  if (started.pid <= 0 || (!started.boot_id.empty() && started_where(started) != StartedWhere::here))
    return false;
  const auto stat = live_process(started.pid);
  if (!stat || stat->state == 'Z' || stat->state == 'X') return false;
  return started.start_ticks == 0 || stat->start_ticks == started.start_ticks;
}

StartedWhere started_where(const Started& started) {
  static const ProcessIdentity self = this_process();  // host, boot and namespaces stay
  const bool same_name = started.host == self.host;
  if (started.boot_id.empty() || self.boot.empty())
    return same_name ? StartedWhere::here : StartedWhere::elsewhere;
  if (started.boot_id == self.boot)
    return started.space.empty() || started.space == self.pid_space ? StartedWhere::here
                                                                    : StartedWhere::elsewhere;
  // Another host may have this one's name: what was started after this one booted is that one's.
  const bool before_boot = started.started_s < now_s() - uptime_s();
  return same_name && before_boot ? StartedWhere::rebooted : StartedWhere::elsewhere;
}

Result<OrphansEnd> end_orphans(const fs::path& wrapper, const Started& started) {
  constexpr double patience_s = 10;  // the wrapper needs 4 at most
  std::vector<std::string> argv = {wrapper.string(), "--end-orphans"};
  if (!started.cgroup.empty()) argv.insert(argv.end(), {"--cgroup", started.cgroup});
  const auto output = command_output(argv, patience_s);
  if (!output) return failure_of(output);
  const json object = json_or_discarded<json>(output->text);
  if (!object.is_object())
    return fail_environment(wrapper.string(),
                            "did not report what became of the processes of a lost attempt");
  return OrphansEnd{field(object, "orphans_ended", 0), field(object, "orphans_alive", 0), orphans_of(object)};
}

Result<void> prepare_run_directory(const fs::path& folder, const Case& planned, const JobContext& context) {
  if (auto made = make_private_folder(folder); !made) return made;
  for (const TextFile& file : planned.files) {
    const fs::path path = folder / file.name;
    if (path.parent_path() != folder)
      if (auto made = make_private_folder(path.parent_path()); !made) return made;
    if (auto written = write_file(path, file.content); !written) return written;
  }
  return write_file(folder / job_script_file, job_script(planned, context));
}

}  // namespace shakedown
