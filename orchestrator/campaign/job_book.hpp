#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/launch/job.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "parsers/failures.hpp"

namespace shakedown {

/// An attempt's place in a job.
struct JobSeat {
  const Job* job = nullptr;
  const JobLane* lane = nullptr;
};

/// The jobs that a campaign ever had, by its folder.
class JobBook {
 public:
  void add(Job job);
  [[nodiscard]] bool has(const AttemptPlace& place) const;
  /// The job of an attempt and its lane there, which stay as long as the book; an attempt from before there
  /// were jobs has one of its own.
  JobSeat seat(const AttemptPlace& place);

  int next = 1;  ///< number of the next job

 private:
  struct Entry {
    std::string job;
    std::size_t lane = 0;
  };
  std::map<std::string, Job> jobs_;
  std::map<std::pair<std::string, int>, Entry> of_attempt_;  ///< by case and number
};

/// Reads <campaign>/jobs. A description that was cut short is skipped: its job was never submitted.
Result<JobBook> known_jobs(const std::filesystem::path& campaign_folder);

/// place.json of an attempt: the job that it is part of and the nodes that it got.
std::string place_json(const std::string& job, const std::string& hosts);

/// scheduler.json of an attempt that did not record its own end: the scheduler's report on its job.
std::string job_state_json(const JobState& job_state);
/// Reads it back, without what is expected; empty: there is none.
std::optional<JobState> recorded_job_state(const std::filesystem::path& attempt_folder);
/// What it reported as wrong; empty: nothing.
std::optional<FailureKind> scheduler_kind(const std::filesystem::path& attempt_folder);
/// That as a sentence; empty: it reported nothing.
std::string scheduler_sentence(const std::filesystem::path& attempt_folder);

/// An attempt of a job that was submitted.
struct RunningStep {
  std::size_t work = 0;  ///< its case's place in the plan
  AttemptPlace place;
  std::optional<double> since_s;  ///< when it began, by the steady clock; none: not yet
  bool collected = false;         ///< its end is in the store
  std::optional<double>
      ended_s{};  ///< when its end was first seen; NOLINT(readability-redundant-member-init)
};

struct RunningLane {
  std::vector<int> pool;  ///< its nodes, as places in the pool
  std::vector<RunningStep> steps;
  std::vector<std::string> hosts{};  // NOLINT(readability-redundant-member-init): by their names

  /// The first that is not collected: what runs now, or next; null: all are.
  [[nodiscard]] RunningStep* current();
};

/// How often a scheduler was offered a job that it refused for a reason that nobody knows.
struct Refusals {
  double since_s = 0;  ///< when it first refused it, by the steady clock; 0: it has not
  double pause_s = 0;  ///< before it is offered again
  std::string words;   ///< the last
};

/// A job that was submitted, and how far its attempts are.
struct RunningJob {
  Job job;
  std::string known_as;  ///< the scheduler's name for it
  std::vector<RunningLane> lanes;
  double submitted_s = 0;              ///< by the steady clock, as all times here
  std::optional<double> gone_since_s;  ///< when the scheduler first reported it gone; none: it has not
  std::string reported_reason;         ///< the pending reason that was reported last
  bool adopted = false;                ///< of an earlier execution
  bool pending = false;                ///< the scheduler had not started it at its last report
  std::optional<double> start_s;       ///< when it expects to; seconds since 1970
  bool completing = false;             ///< its processes were ended, and the scheduler cleans up behind them
  bool ending = false;                 ///< we asked for its end
  bool withdrawn = false;              ///< we took it out of the queue, unless it had begun
  double withdrawn_s = 0;              ///< when that was last asked for
  Refusals refusals;                   ///< before it was taken
  double looked_at_s = 0;              ///< when its nodes were last looked at while it waited

  [[nodiscard]] bool collected() const;  ///< all of its attempts
  [[nodiscard]] bool began() const;      ///< any of its attempts
};

}  // namespace shakedown
