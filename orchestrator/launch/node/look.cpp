#include "orchestrator/launch/node/look.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/process_identity.hpp"
#include "orchestrator/core/secret.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/launch/attempt/sole_use.hpp"
#include "orchestrator/launch/environment.hpp"
#include "orchestrator/launch/loaded_files.hpp"
#include "orchestrator/launch/node_arguments.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

using Phase = NodeArguments::Phase;

constexpr int wrapper_descriptor = 3;

/// Becomes the launcher that starts this program on the nodes. Returns where that fails.
int gone_through(const NodeArguments& arguments, const std::string& self) {
  if (arguments.phase == Phase::around) ::fcntl(wrapper_descriptor, F_SETFD, FD_CLOEXEC);
  const std::vector<std::string> direct = direct_words(arguments);
  std::vector<std::string> words = arguments.through;
  words.emplace_back(self);
  words.insert(words.end(), direct.begin(), direct.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  std::fprintf(stderr, "node-state: %s: %s\n", argv[0], std::strerror(errno));
  return 1;
}

/// Ends processes here of an earlier attempt whose wrapper was killed on another node: the wrapper of this
/// attempt looks only on its own node. Those that don't end count as other processes, even if they use no
/// core.
std::optional<std::vector<OtherProcess>> other_processes_left() {
  const char* origin = std::getenv("SHAKEDOWN_ATTEMPT");  // begins with its boot
  if (origin == nullptr || std::string_view(origin).starts_with(boot_id())) return std::nullopt;
  std::error_code code;
  const fs::path wrapper = fs::read_symlink("/proc/self/exe", code).parent_path() / "attempt";
  const auto end = end_orphans(wrapper, {});
  if (!end || end->named.empty()) return std::nullopt;
  std::vector<OtherProcess> left;
  for (const Orphan& each : end->named)
    left.push_back({each.pid, each.user, each.command,
                    std::string(orphan_mark) + (each.attempt.empty() ? "a lost attempt" : each.attempt), 0});
  return left;
}

double cpus() {
  return static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
}

/// What the last look saw, where no process can have used `least_cpu_s` since.
bool taken_from_last(NodeState& state) {
  const attempt::SoleUse use(last_look);
  const LastLook* last = use.get();
  if (last == nullptr || last->seen_s == 0 || (steady_s() - last->steady_s) * cpus() >= least_cpu_s)
    return false;
  state.before_s = last->seen_s;
  state.processes.assign(last->processes.begin(), last->processes.begin() + last->count);
  return true;
}

/// Those that have used a CPU, for the next look as well.
std::vector<ProcessTime> kept_for_next(const std::vector<ProcessTime>& processes, double seen_s) {
  std::vector<ProcessTime> used;
  std::ranges::copy_if(processes, std::back_inserter(used), [](const auto& each) { return each.cpu_s > 0; });
  const attempt::SoleUse use(last_look);
  if (LastLook* last = use.get(); last != nullptr) {
    const bool fits = used.size() <= last->processes.size();
    last->seen_s = fits ? seen_s : 0;
    last->steady_s = steady_s() - (now_s() - seen_s);
    last->count = fits ? static_cast<int>(used.size()) : 0;
    if (fits) std::ranges::copy(used, last->processes.begin());
  }
  return used;
}

/// What this process read of the node last, and when by a clock that nobody sets.
struct LastReadings {
  double steady_s = 0;
  std::vector<NodeReading> readings;
};
LastReadings last_readings;

/// The node as it is. What was read a moment ago, after the attempt before, is not read again.
std::vector<NodeReading> readings_before() {
  constexpr double moment_s = 0.1;
  if (!last_readings.readings.empty() && steady_s() - last_readings.steady_s < moment_s)
    return last_readings.readings;
  return read_node("/");
}

std::vector<NodeReading> readings_after() {
  last_readings = {steady_s(), read_node("/")};
  return last_readings.readings;
}

NodeState looked_at_before(int self) {
  NodeState state;
  if (!taken_from_last(state)) {
    state.before_s = now_s();
    if (const auto processes = process_times("/", self))
      state.processes = kept_for_next(*processes, state.before_s);
  }
  state.readings = readings_before();
  return state;
}

/// The processes that used a CPU in between. Nothing: not known.
std::optional<std::vector<OtherProcess>> others_between(const NodeState& state, double now, int self) {
  const double passed_s = now - state.before_s;
  if (!(state.before_s > 0)) return std::nullopt;
  // That some were seen before says that others can be seen.
  if (!state.processes.empty() && passed_s > 0 && passed_s * cpus() < least_cpu_s)
    return std::vector<OtherProcess>();
  const auto processes = process_times("/", self);
  if (!processes) return std::nullopt;
  kept_for_next(*processes, now);
  return other_processes("/", state.processes, *processes, passed_s);
}

NodeState looked_at_after(NodeState state, int self) {
  const double now = now_s();
  auto between = others_between(state, now, self);
  state.after_s = now;
  put_after(state, readings_after());
  if (between) {
    std::vector<OtherProcess> all = *std::move(between);
    for (const OtherProcess& each : state.other_processes.value_or(std::vector<OtherProcess>())) {
      const auto known = std::ranges::find(all, each.pid, &OtherProcess::pid);
      if (known == all.end())
        all.push_back(each);
      else
        known->job = each.job;
    }
    state.other_processes = std::move(all);
  }
  state.processes.clear();
  return state;
}

/// Reports a look that is done to the wrapper.
bool say_looked() {
  return ::write(wrapper_descriptor, "", 1) == 1;
}

/// Reports the first look. False: the attempt ends without a second one.
bool waited_for_end() {
  char byte = 0;
  return say_looked() && ::read(wrapper_descriptor, &byte, 1) == 1;
}

KnownEnvironment known_of(std::string text) {
  KnownEnvironment known{"", environment_from_json(text), sha256(text)};
  known.text = std::move(text);
  return known;
}

fs::path known_environment(const NodeArguments& arguments, const std::string& node) {
  return arguments.folder / "../.." / fmt::format("environment-{}.json", file_name_of(node));
}

/// Reads what attempts before left. States its hash, each time that it is another.
void read_known(NodeLook::Loaded& loaded, const fs::path& path) {
  loaded.record.known.file = path.filename().string();
  const auto text = file_content(path);
  if (text && *text == loaded.known.text) return;
  static KnownEnvironment last;  // a server's next look mostly reads what its last one left
  if (!text || *text != last.text) last = known_of(text ? *text : "");
  loaded.known = last;
  auto& read = loaded.record.known.read;
  if (text && (read.empty() || read.back() != last.sha256)) read.push_back(last.sha256);
}

/// As it is before its start. Of what did not change since an attempt before, the hash is known. Through a
/// launcher this process ends before the program does: what it found waits in node-<name>.json.
NodeLook::Loaded loaded_now(const NodeArguments& arguments, const std::string& node, bool first) {
  NodeLook::Loaded loaded;
  loaded.first = first;
  read_known(loaded, known_environment(arguments, node));
  const std::vector<LoadedFile>& known = loaded.known.environment.loaded.files;
  std::error_code code;
  const std::string program =
      arguments.files.empty() ? "" : fs::canonical(arguments.files.front(), code).string();
  loaded.record.files = loaded_files(loaded_paths(arguments.files, first ? program : ""),
                                     needed_libraries(arguments.files, known), known);
  if (!first)
    for (LoadedFile& file : loaded.record.files)
      file.is_program = !program.empty() && fs::canonical(file.path, code) == program;
  return loaded;
}

/// On other nodes than the first, the hash alone is compared.
void shorten(std::vector<LoadedFile>& files) {
  for (LoadedFile& file : files) {
    file.changed_ns = 0;
    file.needed_by.clear();
  }
}

/// What ran here is hashed once per node and campaign; each attempt has the whole beside it. The attempt's
/// file states what it leaves for later attempts, and goes first.
Result<void> keep_loaded(const NodeArguments& arguments, const NodeState& state, NodeLook::Loaded loaded) {
  const fs::path known = known_environment(arguments, state.node);
  read_known(loaded, known);
  EnvironmentFile later = loaded.known.environment;
  later.loaded = {renewed(std::move(later.loaded.files), after_run(loaded.record.files)), {}};
  std::vector<EnvironmentRecord> records;
  if (loaded.first) {
    records = captured_environment({state.node, arguments.launcher, arguments.program},
                                   loaded.known.environment.records);
    for (EnvironmentRecord& record : records)
      for (const std::string& variable : arguments.secrets)
        if (record.name == "environment " + variable) record.value = secret_mask;
    later.records = records;
    // Variables are others with each job.
    std::erase_if(later.records,
                  [](const EnvironmentRecord& each) { return each.name.starts_with("environment "); });
  }
  const bool same = later == loaded.known.environment && !loaded.known.text.empty();
  const std::string later_text = same ? "" : environment_json(later);
  std::error_code code;
  const bool lasts = fs::exists(known.parent_path() / "campaign.json", code);
  if (lasts) loaded.record.known.left = same ? loaded.known.sha256 : sha256(later_text);
  if (!loaded.first) shorten(loaded.record.files);
  // Synced with the attempt's other files: the wrapper does that after this program, and before it writes
  // that the attempt ended.
  const std::string name =
      loaded.first ? std::string(environment_file) : fmt::format("node-{}.json", file_name_of(state.node));
  const std::string text = loaded.first ? environment_json({std::move(records), std::move(loaded.record)})
                                        : with_loaded(node_state_json(state), loaded.record);
  if (auto written = write_private_file(arguments.folder / name, text, Durability::process);
      !written || !lasts || same)
    return written;
  return write_private_file(known, later_text);
}

}  // namespace

LastLook* last_look = nullptr;

NodeLook::NodeLook(NodeArguments arguments, int wrapper)
    : arguments_(std::move(arguments)),
      wrapper_(wrapper),
      node_(node_name()),
      file_(arguments_.folder / fmt::format("node-{}.json", file_name_of(node_))) {
  loaded_.first = arguments_.first.empty() || same_host(arguments_.first, node_);
}

void NodeLook::begin() {
  auto left = other_processes_left();
  state_ = looked_at_before(wrapper_);
  state_.node = node_;
  if (left) state_.other_processes = std::move(left);
  loaded_ = loaded_now(arguments_, node_, loaded_.first);
}

Result<void> NodeLook::before() const {
  return write_file(file_, node_state_json(state_));
}

Result<void> NodeLook::leave() const {
  return write_file(file_, with_loaded(node_state_json(state_), loaded_.record));
}

void NodeLook::take_up() {
  const auto text = file_content(file_);
  state_ = node_state_from_json(text ? *text : "", file_.string()).value_or(NodeState{});
  state_.node = node_;
  loaded_.record = loaded_from_json(text ? *text : "");
}

Result<void> NodeLook::after() {
  state_ = looked_at_after(std::move(state_), wrapper_);
  auto written = write_file(file_, node_state_json(state_));
  if (written && (loaded_.first || !loaded_.record.files.empty()))
    written = keep_loaded(arguments_, state_, std::move(loaded_));
  return written;
}

bool is_looked_at_here(const NodeArguments& arguments) {
  return arguments.through.empty() || (!arguments.host.empty() && same_host(arguments.host, node_name()));
}

int look(const std::string& self, const std::vector<std::string>& words) {
  const auto arguments = node_arguments(words);
  if (!arguments) {
    std::fprintf(stderr, "node-state: %s\n", to_string(arguments.error()).c_str());
    return 2;
  }
  if (!is_looked_at_here(*arguments)) return gone_through(*arguments, self);

  const Phase phase = arguments->phase;
  NodeLook look(*arguments, ::getpid());
  Result<void> done;
  if (phase == Phase::after) {
    look.take_up();
  } else {
    look.begin();
    done = look.before();
  }
  if (done && phase == Phase::before) done = look.leave();
  if (done && phase == Phase::around && !waited_for_end()) return 0;
  if (done && phase != Phase::before) done = look.after();
  if (done) {
    if (phase == Phase::around) say_looked();  // the wrapper goes on while this process ends
    return 0;
  }
  std::fprintf(stderr, "node-state: %s\n", to_string(done.error()).c_str());
  return 1;
}

}  // namespace shakedown
