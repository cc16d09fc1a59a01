#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/attempt_server.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {
namespace {

/// Whether control groups can be made below this process's own: then the wrapper makes one for its attempt.
bool has_own_cgroup() {
  const auto text = file_content("/proc/self/cgroup");
  if (!text) return false;
  for (const std::string_view line : split(*text, '\n')) {
    if (!line.starts_with("0::/")) continue;
    for (const fs::path mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
      const fs::path own = mount / line.substr(4);
      if (::access((own / "cgroup.procs").c_str(), W_OK) == 0) return true;
    }
  }
  return false;
}

/// Whether this process is in a login session: only such a group has no limits of a batch system, a service
/// or a container, which a scope of its own would escape.
bool is_in_session() {
  const auto text = file_content("/proc/self/cgroup");
  return text && text->find("0::/user.slice/") != std::string::npos;
}

/// The words that start a command in a systemd scope, where systemd gives this user one.
std::vector<std::string> systemd_scope() {
  constexpr double patience_s = 2;
  std::vector<std::string> words = {"systemd-run", "--scope", "--quiet", "--collect"};
  if (::getuid() != 0) words.emplace_back("--user");
  std::vector<std::string> trial = words;
  trial.emplace_back("true");
  const auto answer = command_output(trial, patience_s);
  return answer && answer->exit_code == 0 ? words : std::vector<std::string>();
}

/// This machine, without a batch system: a job is one attempt, a process in a session of its own.
class Local final : public Scheduler {
 public:
  [[nodiscard]] SchedulerTraits traits() const override { return {}; }

  Result<std::vector<SchedulerNode>> nodes(std::span<const std::string> hosts) override {
    std::vector<SchedulerNode> known_nodes;
    for (const std::string& host : hosts) known_nodes.push_back({host, SchedulerNode::Kind::idle, ""});
    return known_nodes;
  }

  Result<Submission> submit(const Job& job) override {
    const auto pid = started(job);
    if (!pid) return failure_of(pid);
    Started started;
    started.pid = *pid;
    submitted_[job.id] = started;
    return JobAccepted{fmt::format("pid {}", *pid)};
  }

  Result<bool> adopt(const Job& job, const std::string& /*known_as*/) override {
    const auto process = process_of(job);
    if (!process || !is_alive(*process)) return false;  // gone already: finished.json has its end
    auto watched = processes_.watch(process->pid);
    if (!watched && is_alive(*process)) return failure_of(watched);
    return watched.has_value();
  }

  JobState state(const Job& job, bool /*ask*/) override {
    JobState job_state;
    const auto process = process_of(job);
    job_state.phase = process && is_alive(*process) ? JobState::Phase::running : JobState::Phase::gone;
    return job_state;
  }

  bool wait(double seconds) override { return processes_.wait(seconds); }

  Result<void> end(const Job& job, bool at_once) override {
    const auto process = process_of(job);
    if (process && is_alive(*process)) ::kill(process->pid, at_once ? SIGQUIT : SIGTERM);
    return {};
  }

 private:
  /// Starts a job's attempt; its end wakes `wait`. Returns its pid.
  Result<int> started(const Job& job) {
    // A shell that reads job.sh would end as the wrapper with these words and variables: starting it costs
    // more than the rest of a short case. So does executing the wrapper.
    const DirectStart& direct = job.lanes.front().steps.front().direct;
    const bool is_direct = !direct.argv.empty() && ::access(direct.argv.front().c_str(), X_OK) == 0;
    if (is_direct && !server_failed_ && scope().empty()) {
      const fs::path program = fs::path(direct.argv.front()).parent_path() / "node-state";
      auto pid = server_.start(program, {attempt_of(job).string(), direct.argv, direct.environment});
      if (pid && processes_.watch(*pid)) return pid;
      if (pid) return fail_environment(fmt::format("process {}", *pid), "cannot be watched");
      server_failed_ = true;
    }
    std::vector<std::string> argv = scope();
    if (is_direct)
      argv.insert(argv.end(), direct.argv.begin(), direct.argv.end());
    else
      argv.insert(argv.end(), {"/bin/sh", "job.sh", "--attempt"});
    return processes_.start(argv, attempt_of(job),
                            is_direct ? direct.environment : std::vector<std::string>());
  }

  /// The words before a command that give it a systemd scope, which it is executed in as the same process;
  /// empty: there is none to be had, or none needed.
  const std::vector<std::string>& scope() {
    if (!scope_) scope_ = has_own_cgroup() || !is_in_session() ? std::vector<std::string>() : systemd_scope();
    return *scope_;
  }

  static std::filesystem::path attempt_of(const Job& job) { return job.lanes.front().steps.front().folder; }

  /// The attempt's process: from started.json, else the one we started (the file may not be written yet).
  std::optional<Started> process_of(const Job& job) const {
    if (auto started = read_started(attempt_of(job))) return started;
    const auto it = submitted_.find(job.id);
    return it == submitted_.end() ? std::nullopt : std::optional(it->second);
  }

  Processes processes_;
  AttemptServer server_;
  bool server_failed_ = false;  ///< there is none, or it died: attempts are executed
  std::map<std::string, Started> submitted_;
  std::optional<std::vector<std::string>> scope_;  ///< nothing: not asked yet
};

}  // namespace

namespace scheduler {
extern const SchedulerType local;
const SchedulerType local = {
    .id = "local",
    .about = "this machine, without a batch system",
    .make = [](const SchedulerSettings&) -> Result<std::unique_ptr<Scheduler>> {
      return std::make_unique<Local>();
    },
    .runs_here = true,
};
}  // namespace scheduler

}  // namespace shakedown
