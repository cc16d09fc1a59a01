#pragma once
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

/// The jobs that a campaign ever had, by its folder.
struct JobBook {
  std::map<std::string, Job> jobs;
  std::map<std::pair<std::string, int>, std::string> of_attempt;
  int next = 1;  ///< number of the next job

  /// The job of an attempt; of one from before there were jobs, one of its own.
  [[nodiscard]] Job of(const AttemptPlace& place) const;
};

/// Reads <campaign>/jobs. A description that was cut short is left out: its job was never submitted.
Result<JobBook> known_jobs(const std::filesystem::path& campaign_folder);

/// The lane of a job that an attempt is on.
std::size_t lane_of(const Job& job, const AttemptPlace& place);

/// place.json of an attempt: the job that it is part of and the nodes that it got.
std::string place_json(const std::string& job, const std::string& hosts);

/// scheduler.json of an attempt that did not say itself how it ended: what the scheduler said of its job.
std::string standing_json(const JobStanding& standing);
/// What it said was wrong; empty: nothing.
std::optional<FailureKind> scheduler_kind(const std::filesystem::path& attempt_folder);
/// That as a sentence; empty: it said nothing.
std::string scheduler_sentence(const std::filesystem::path& attempt_folder);

}  // namespace shakedown
