#include <signal.h>

#include <map>

#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {
namespace {

/// This machine, without a batch system: a job is a process in a session of its own.
class Local final : public Scheduler {
 public:
  Result<std::string> submit(const std::filesystem::path& folder) override {
    const auto pid = processes_.start({"/bin/sh", "job.sh", "--attempt"}, folder);
    if (!pid) return pass_on(pid);
    Started job;
    job.pid = *pid;
    submitted_[folder] = job;
    return fmt::format("pid {}", *pid);
  }

  JobState state(const std::filesystem::path& folder) override {
    const auto job = job_of(folder);
    if (job && is_alive(*job)) return JobState::running;
    submitted_.erase(folder);
    return JobState::gone;
  }

  bool wait(double seconds) override { return processes_.wait(seconds); }

  Result<void> adopt(const std::filesystem::path& folder) override {
    const auto job = job_of(folder);
    if (!job || !is_alive(*job)) return {};  // gone already: finished.json tells how
    auto watched = processes_.watch(job->pid);
    if (!watched && !is_alive(*job)) return {};
    return watched;
  }

  void end(const std::filesystem::path& folder, bool at_once) override {
    const auto job = job_of(folder);
    if (job && is_alive(*job)) ::kill(job->pid, at_once ? SIGQUIT : SIGTERM);
  }

 private:
  /// Who runs the attempt: what the job says of itself, else what we started (it may not have said so yet).
  std::optional<Started> job_of(const std::filesystem::path& folder) const {
    if (auto started = read_started(folder)) return started;
    const auto it = submitted_.find(folder);
    return it == submitted_.end() ? std::nullopt : std::optional(it->second);
  }

  Processes processes_;
  std::map<std::filesystem::path, Started> submitted_;
};

}  // namespace

namespace scheduler {
extern const SchedulerType local;
const SchedulerType local = {
    .id = "local",
    .about = "this machine, without a batch system",
    .make = [] { return std::unique_ptr<Scheduler>(std::make_unique<Local>()); },
};
}  // namespace scheduler

}  // namespace shakedown
