#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/file.hpp"
#include "orchestrator/launch/job.hpp"
#include "orchestrator/launch/scheduler.hpp"

/// A job on one node whose attempts are shell lines, with its folders below `campaign`.
inline shakedown::Job batch_job(const std::filesystem::path& campaign, const std::vector<std::string>& lines,
                                const std::string& id = "job-1") {
  shakedown::Job job;
  job.id = id;
  job.campaign = "2026-11-21-cluster";
  job.folder = campaign / "jobs" / id;
  std::filesystem::create_directories(job.folder);
  job.lanes = {{{"cn1"}, {}}};
  for (const std::string& line : lines) {
    const std::string name = "case-" + std::to_string(job.lanes[0].steps.size() + 1);
    const std::filesystem::path folder = campaign / name / "attempt-1";
    std::filesystem::create_directories(folder);
    // As a job.sh does: goes to its folder, records how it ended.
    if (!shakedown::write_file(folder / "job.sh",
                               "cd \"${0%/*}\" || exit\n" + line + "\necho $? >finished\n"))
      return {};
    job.lanes[0].steps.push_back({name, 1, folder, 60});
  }
  return job;
}

/// Waits for a file: what a batch system does, it does in its own time. False: ten seconds were not enough.
inline bool appears(const std::filesystem::path& path, shakedown::Scheduler& scheduler) {
  for (int i = 0; i < 500 && !std::filesystem::exists(path); ++i) scheduler.wait(0.02);
  return std::filesystem::exists(path);
}
