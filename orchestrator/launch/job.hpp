#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// What job.sh becomes in an attempt, for whoever starts it here and needs no shell for that.
struct DirectStart {
  std::vector<std::string> argv;         ///< the wrapper's; empty: job.sh alone knows
  std::vector<std::string> environment;  ///< "NAME=value", beside what is inherited
  friend bool operator==(const DirectStart&, const DirectStart&) = default;
};

/// An attempt within a job.
struct JobStep {
  std::string case_id;
  int attempt = 1;
  std::filesystem::path folder;  ///< the attempt's, with job.sh
  double time_limit_s = 0;       ///< of its job.sh, grace included; 0: none
  /// Its launcher starts the ranks on all nodes of the lane by itself, from wherever job.sh runs (srun). Else
  /// job.sh must run on the lane's first node.
  bool from_anywhere = false;
  DirectStart direct{};  ///< of this orchestrator, not stored
  friend bool operator==(const JobStep&, const JobStep&) = default;
};

/// Nodes of a job, and the attempts that run on them one behind the other.
struct JobLane {
  std::vector<std::string> hosts;
  std::vector<JobStep> steps;
  friend bool operator==(const JobLane&, const JobLane&) = default;
};

/// What a scheduler is given at once: lanes beside each other, each on nodes of its own. What runs in a lane
/// and fails does not touch the others.
struct Job {
  std::string id;                ///< "job-7": unique in the campaign
  std::string campaign;          ///< its id
  std::filesystem::path folder;  ///< <campaign>/jobs/<id>: job.json, the scheduler's input and its output
  std::vector<JobLane> lanes;
  int gpus_per_node = 0;  ///< the most that a case of it needs
  friend bool operator==(const Job&, const Job&) = default;

  [[nodiscard]] std::vector<std::string> hosts() const;  ///< of all lanes, in their order
  /// How long its longest lane may take, with `margin_s` for the start and end of each step; 0: no limit.
  [[nodiscard]] double time_limit_s(double margin_s) const;
};

/// job.json: `shakedown.job/1`. Folders are stored relative to the campaign's, so that a workspace can be
/// moved.
std::string job_json(const Job& job);
/// `campaign_folder`: where the job's folders lie.
Result<Job> job_from_json(std::string_view text, const std::filesystem::path& campaign_folder,
                          std::string_view name);

/// The executable file of a case's program, as a path or a name in PATH: not the launcher's. Empty if no file
/// outside the job is that program: in a container, found by modules that the job loads, or in the run
/// directory.
std::string executable_of(const Case& planned);

}  // namespace shakedown
