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

NodeState looked_at_before() {
  NodeState state;
  state.before_s = now_s();
  const auto processes = others("/", ::getpid());
  state.readings = read_node("/");
  if (processes)
    for (const ProcessTime& each : *processes)
      if (each.cpu_s > 0) state.processes.push_back(each);
  return state;
}

/// The processes that used a CPU in between. Nothing: not known.
std::optional<std::vector<OtherProcess>> others_between(const NodeState& state, double now) {
  const double passed_s = now - state.before_s;
  if (!(state.before_s > 0)) return std::nullopt;
  // That some were seen before says that others can be seen.
  const auto cpus = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
  if (!state.processes.empty() && passed_s > 0 && cpus > 0 && passed_s * cpus < least_cpu_s)
    return std::vector<OtherProcess>();
  const auto processes = others("/", ::getpid());
  if (!processes) return std::nullopt;
  return other_processes("/", state.processes, *processes, passed_s);
}

NodeState looked_at_after(NodeState state) {
  const double now = now_s();
  auto between = others_between(state, now);
  state.after_s = now;
  put_after(state, read_node("/"));
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

/// Reports to the wrapper that the first look is done. False: the attempt ends without a second one.
bool waited_for_end() {
  char byte = 0;
  return ::write(wrapper_descriptor, &byte, 1) == 1 && ::read(wrapper_descriptor, &byte, 1) == 1;
}

fs::path known_environment(const NodeArguments& arguments, const std::string& node) {
  return arguments.folder / "../.." / fmt::format("environment-{}.json", file_name_of(node));
}

/// What the program loads on this node.
struct Loaded {
  bool first = true;  ///< this is the case's first node, whose program the wrapper hashes
  std::vector<LoadedFile> files;
  KnownHashes known;
};

/// The hashes that attempts before left on this node.
std::string known_text(const NodeArguments& arguments, const std::string& node, KnownHashes& known) {
  const fs::path path = known_environment(arguments, node);
  known.file = path.filename().string();
  auto text = file_content(path);
  if (!text) return "";
  if (std::string hash = sha256(*text); known.read.empty() || known.read.back() != hash)
    known.read.push_back(std::move(hash));
  return *std::move(text);
}

/// As it is before its start. Of what did not change since an attempt before, the hash is known. Through a
/// launcher this process ends before the program does: what it found waits in node-<name>.json.
Loaded loaded_now(const NodeArguments& arguments, const std::string& node, bool first) {
  Loaded loaded{first, {}, {}};
  const auto known = loaded_from_json(known_text(arguments, node, loaded.known));
  std::error_code code;
  const std::string program =
      arguments.files.empty() ? "" : fs::canonical(arguments.files.front(), code).string();
  loaded.files = loaded_files(loaded_paths(arguments.files, first ? program : ""),
                              needed_libraries(arguments.files, known), known);
  if (!first)
    for (LoadedFile& file : loaded.files)
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
Result<void> keep_loaded(const NodeArguments& arguments, const NodeState& state, Loaded loaded) {
  const std::string text = known_text(arguments, state.node, loaded.known);
  const auto after = after_run(loaded.files);
  std::string own = node_state_json(state);
  std::string lasting = text.empty() ? environment_json({}) : text;
  if (loaded.first) {
    auto records = captured_environment({state.node, arguments.launcher, arguments.program},
                                        environment_from_json(text));
    for (EnvironmentRecord& record : records)
      for (const std::string& variable : arguments.secrets)
        if (record.name == "environment " + variable) record.value = secret_mask;
    own = environment_json(records);
    // Variables are others with each job.
    std::erase_if(records,
                  [](const EnvironmentRecord& each) { return each.name.starts_with("environment "); });
    lasting = environment_json(records);
  }
  const std::string later = with_loaded(lasting, renewed(loaded_from_json(text), after));
  const fs::path known = known_environment(arguments, state.node);
  std::error_code code;
  const bool lasts = fs::exists(known.parent_path() / "campaign.json", code);
  if (lasts) loaded.known.left = sha256(later);
  if (!loaded.first) shorten(loaded.files);
  // Synced with the attempt's other files: the wrapper does that after this program, and before it writes
  // that the attempt ended.
  const std::string name =
      loaded.first ? std::string(environment_file) : fmt::format("node-{}.json", file_name_of(state.node));
  if (auto written = write_private_file(arguments.folder / name, with_loaded(own, loaded.files, loaded.known),
                                        Durability::process);
      !written || !lasts || later == text)
    return written;
  return write_private_file(known, later);
}

}  // namespace

int look(const std::string& self, const std::vector<std::string>& words) {
  const auto arguments = node_arguments(words);
  if (!arguments) {
    std::fprintf(stderr, "node-state: %s\n", to_string(arguments.error()).c_str());
    return 2;
  }
  const std::string node = node_name();
  const bool here = !arguments->host.empty() && same_host(arguments->host, node);
  if (!arguments->through.empty() && !here) return gone_through(*arguments, self);

  const fs::path path = arguments->folder / fmt::format("node-{}.json", file_name_of(node));
  NodeState state;
  Result<void> written;
  const bool first = arguments->first.empty() || same_host(arguments->first, node);
  Loaded loaded{first, {}, {}};
  if (arguments->phase == Phase::after) {
    const auto text = file_content(path);
    state = node_state_from_json(text ? *text : "", path.string()).value_or(NodeState{});
    state.node = node;
    loaded.files = loaded_from_json(text ? *text : "");
    loaded.known = known_from_json(text ? *text : "");
  } else {
    const auto left = other_processes_left();
    state = looked_at_before();
    state.node = node;
    if (left) state.other_processes = left;
    written = write_file(path, node_state_json(state));
    loaded = loaded_now(*arguments, node, first);
    if (written && arguments->phase == Phase::before)
      written = write_file(path, with_loaded(node_state_json(state), loaded.files, loaded.known));
  }
  if (written && arguments->phase == Phase::around && !waited_for_end()) return 0;
  if (written && arguments->phase != Phase::before) {
    state = looked_at_after(std::move(state));
    written = write_file(path, node_state_json(state));
    if (written && (first || !loaded.files.empty()))
      written = keep_loaded(*arguments, state, std::move(loaded));
  }
  if (written) return 0;
  std::fprintf(stderr, "node-state: %s\n", to_string(written.error()).c_str());
  return 1;
}

}  // namespace shakedown
