#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Gets nodes for jobs and tracks them. A job is an attempt's folder with its job.sh; its end is known from
/// `finished.json` there, written by the job itself. The scheduler is asked only about jobs that are silent.
class Scheduler {
 public:
  virtual ~Scheduler() = default;

  enum class JobState { running, gone };

  /// Starts the job of `folder`. Returns the scheduler's name for it (a process id, a job id).
  virtual Result<std::string> submit(const std::filesystem::path& folder) = 0;
  /// Whether the job of `folder` may still write there.
  virtual JobState state(const std::filesystem::path& folder) = 0;
  /// Waits until a job that was submitted or adopted here may have ended, or until `seconds` have passed, or
  /// until `interrupt` was called. False when the time ran out.
  virtual bool wait(double seconds) = 0;
  /// Takes on a job that an earlier orchestrator started.
  virtual Result<void> adopt(const std::filesystem::path& folder) = 0;
  /// Ends the job of `folder`: politely (SIGTERM, a grace period, SIGKILL) or at once.
  virtual void end(const std::filesystem::path& folder, bool at_once) = 0;
};

/// A kind of scheduler: one constant per orchestrator/schedulers/*.cpp.
struct SchedulerType {
  std::string_view id;  ///< "local"
  std::string_view about;
  std::unique_ptr<Scheduler> (*make)() = nullptr;
};

/// All schedulers, from orchestrator/schedulers/*.cpp.
std::span<const SchedulerType* const> schedulers();

}  // namespace shakedown
