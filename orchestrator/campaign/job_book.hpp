#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

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

/// Reads <campaign>/jobs. A description that was cut short is left out: its job was never submitted.
Result<JobBook> known_jobs(const std::filesystem::path& campaign_folder);

/// place.json of an attempt: the job that it is part of and the nodes that it got.
std::string place_json(const std::string& job, const std::string& hosts);

/// scheduler.json of an attempt that did not say itself how it ended: what the scheduler said of its job.
std::string job_state_json(const JobState& job_state);
/// Reads it back, without what is expected; empty: there is none.
std::optional<JobState> recorded_job_state(const std::filesystem::path& attempt_folder);
/// What it said was wrong; empty: nothing.
std::optional<FailureKind> scheduler_kind(const std::filesystem::path& attempt_folder);
/// That as a sentence; empty: it said nothing.
std::string scheduler_sentence(const std::filesystem::path& attempt_folder);

}  // namespace shakedown
