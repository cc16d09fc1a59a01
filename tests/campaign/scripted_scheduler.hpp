#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/core/file.hpp"
#include "orchestrator/launch/scheduler.hpp"

/// What the batch system of a test has and does. It outlives the orchestrators that ask it.
struct ScriptedCluster {
  struct Queued {
    shakedown::Job job;
    std::string number;
    shakedown::JobState state;
    bool withdrawn = false;
  };
  std::vector<Queued> jobs;          ///< all that were ever taken, in their order
  std::vector<std::string> offered;  ///< the hosts of each job that was submitted, taken or not
  std::map<std::string, shakedown::SchedulerNode::Kind> nodes;  ///< idle where not named
  std::set<std::string> down;                                   ///< nodes that are broken
  std::map<std::string, double> free_until_s;                   ///< of nodes that others have next
  bool answers = true;
  bool ends = true;     ///< whom it is asked to end
  bool shares = false;  ///< a job may have several lanes
  double chains_s = 0;  ///< how long a lane's attempts may take together; 0: each is alone
  int node_questions = 0;
  int queue_questions = 0;
  int found_questions = 0;
  int waits = 0;  ///< how often the orchestrator had nothing to do
  int most_waits = 3000;
  /// What becomes of a job that is submitted; null, or `JobAccepted` without a name: it is taken.
  std::function<shakedown::Result<shakedown::Submission>(const shakedown::Job&)> rejects;
  std::function<void(ScriptedCluster&)> at_wait;      ///< time passes
  std::function<void(ScriptedCluster&)> at_question;  ///< nodes are asked about

  /// An attempt records that it began, and how it ended.
  static void begin(const shakedown::JobStep& step) {
    static_cast<void>(shakedown::write_file(
        step.folder / "started.json",
        R"({"schema":"shakedown.started/1","host":"elsewhere","pid":1,"start_ticks":1,"boot_id":"b",)"
        R"("started_s":1795284309,"load_before":0})"));
  }
  static void end(const shakedown::JobStep& step, int exit_code, const std::string& error = {}) {
    static_cast<void>(shakedown::write_file(step.folder / "stderr.log", error));
    static_cast<void>(shakedown::write_file(
        step.folder / "finished.json",
        R"({"schema":"shakedown.finished/1","state":"finished","exit_code":)" + std::to_string(exit_code) +
            R"(,"started_s":1795284309,"finished_s":1795284310,"wall_s":1,"cpus":1})"));
  }
  /// The whole of a job.
  static void run(Queued& queued, int exit_code = 0, const std::string& error = {}) {
    for (const shakedown::JobLane& lane : queued.job.lanes)
      for (const shakedown::JobStep& step : lane.steps) {
        begin(step);
        end(step, exit_code, error);
      }
    queued.state.phase = shakedown::JobState::Phase::gone;
    queued.state.end = exit_code == 0 ? shakedown::JobEnd::completed : shakedown::JobEnd::failed;
  }
  /// Runs all that waits.
  static void run_all(ScriptedCluster& cluster) {
    for (Queued& queued : cluster.jobs)
      if (queued.state.phase != shakedown::JobState::Phase::gone) run(queued);
  }
};

/// A batch system whose every answer the test writes.
class ScriptedScheduler final : public shakedown::Scheduler {
 public:
  explicit ScriptedScheduler(ScriptedCluster& cluster) : cluster_(cluster) {}

  [[nodiscard]] shakedown::SchedulerTraits traits() const override {
    return {/*most_jobs=*/100, cluster_.shares, cluster_.chains_s, /*outlives_us=*/true};
  }
  shakedown::Result<std::vector<shakedown::SchedulerNode>> nodes(
      std::span<const std::string> hosts) override {
    ++cluster_.node_questions;
    if (cluster_.at_question) cluster_.at_question(cluster_);
    if (!cluster_.answers) return shakedown::fail_environment("scontrol", "Unable to contact");
    std::vector<shakedown::SchedulerNode> known_nodes;
    for (const std::string& host : hosts) {
      const auto it = cluster_.nodes.find(host);
      const auto kind = it == cluster_.nodes.end() ? shakedown::SchedulerNode::Kind::idle : it->second;
      known_nodes.push_back({host, kind, kind == shakedown::SchedulerNode::Kind::idle ? "" : "ALLOCATED"});
      if (cluster_.down.contains(host))
        known_nodes.back() = {host, shakedown::SchedulerNode::Kind::out, "DOWN*", {}, true};
      const auto until = cluster_.free_until_s.find(host);
      if (until != cluster_.free_until_s.end()) known_nodes.back().free_until_s = until->second;
    }
    return known_nodes;
  }
  shakedown::Result<shakedown::Submission> submit(const shakedown::Job& job) override {
    std::string hosts;
    for (const std::string& host : job.hosts()) hosts += (hosts.empty() ? "" : ",") + host;
    cluster_.offered.push_back(hosts);
    if (cluster_.rejects) {
      auto answer = cluster_.rejects(job);
      if (!answer || !std::holds_alternative<shakedown::JobAccepted>(*answer)) return answer;
    }
    cluster_.jobs.push_back({job, std::to_string(cluster_.jobs.size() + 1), {}});
    return shakedown::JobAccepted{cluster_.jobs.back().number};
  }
  shakedown::Result<std::string> found(const shakedown::Job& job) override {
    ++cluster_.found_questions;
    if (!cluster_.answers) return shakedown::fail_environment("squeue", "Unable to contact");
    const ScriptedCluster::Queued* queued = of(job);
    return queued == nullptr ? std::string() : queued->number;
  }
  void withdraw(const shakedown::Job& job) override {
    ScriptedCluster::Queued* queued = of(job);
    if (queued == nullptr || queued->state.phase != shakedown::JobState::Phase::pending) return;
    queued->withdrawn = true;
    queued->state.phase = shakedown::JobState::Phase::gone;
    queued->state.end = shakedown::JobEnd::cancelled;
  }
  shakedown::Result<void> expect(std::span<const shakedown::KnownJob> jobs) override {
    ++cluster_.queue_questions;
    for (const shakedown::KnownJob& known : jobs) expected_.insert(known.job->id);
    return {};
  }
  shakedown::Result<bool> adopt(const shakedown::Job& job, const std::string& /*known_as*/) override {
    if (expected_.erase(job.id) == 0) ++cluster_.queue_questions;
    const ScriptedCluster::Queued* queued = of(job);
    return queued != nullptr && queued->state.phase != shakedown::JobState::Phase::gone;
  }
  shakedown::JobState state(const shakedown::Job& job, bool /*ask*/) override {
    const ScriptedCluster::Queued* queued = of(job);
    if (queued == nullptr)
      return {shakedown::JobState::Phase::gone, "", {}, shakedown::JobEnd::unknown, "", {}};
    return queued->state;
  }
  bool wait(double /*seconds*/) override {
    // An execution that would never end shall not take the test with it.
    if (++cluster_.waits > cluster_.most_waits) std::abort();
    if (cluster_.at_wait) cluster_.at_wait(cluster_);
    return true;
  }
  shakedown::Result<void> end(const shakedown::Job& /*job*/, bool /*at_once*/) override {
    if (!cluster_.ends) return shakedown::fail_environment("scancel", "Unable to contact");
    return {};
  }

 private:
  ScriptedCluster::Queued* of(const shakedown::Job& job) {
    const auto it = std::find_if(cluster_.jobs.rbegin(), cluster_.jobs.rend(),
                                 [&](const ScriptedCluster::Queued& each) { return each.job.id == job.id; });
    return it == cluster_.jobs.rend() ? nullptr : &*it;
  }

  ScriptedCluster& cluster_;
  std::set<std::string> expected_;
};
