#pragma once
#include <set>
#include <span>
#include <string>

#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {

inline constexpr double answer_s = 60;  ///< that a command of a batch system may take
inline constexpr double longest_lane_s = 3600;

/// When the queue is asked again about silent jobs: at least `least_s` apart, later and later as long as
/// nothing changes, at most `most_s` apart; about the others each `most_s`. A step of the wall clock does not
/// count.
class PollingClock {
 public:
  static constexpr double least_s = 10;

  explicit PollingClock(double most_s);

  /// `silent`: what a job wrote, or did not, gives reason to ask.
  [[nodiscard]] bool is_due(bool silent) const;
  /// A question begins: where it gets no answer, the next comes after the same pause.
  void asks();
  /// It was answered.
  void answered(bool changed);
  /// A job was submitted or taken on: it may change soon, though not at once.
  void job_entered();
  /// Something was done that changes what is there.
  void ask_soon();

 private:
  double most_s_;
  double asked_s_;       ///< when it last was
  double ask_at_s_ = 0;  ///< not before, about silent jobs
  double pause_s_ = least_s;
};

/// The part of a scheduler that tracks jobs in a batch system's queue: they have an id there, are found by
/// their name, and are queried all at once.
class BatchJobs : public Scheduler {
 public:
  explicit BatchJobs(double poll_s) : clock_(poll_s) {}

  Result<std::string> found(const Job& job) override;
  Result<void> expect(std::span<const KnownJob> jobs) override;
  Result<bool> adopt(const Job& job, const std::string& known_as) override;
  bool wait(double seconds) override { return processes_.wait(seconds); }

 protected:
  /// Tracks a job by the id that it has in the queue, which it returns.
  std::string enter(const Job& job, const std::string& id);
  /// Whether the batch system ever took a job of ours.
  [[nodiscard]] bool has_taken() const { return has_taken_; }
  PollingClock& clock() { return clock_; }

 private:
  /// Begins to track a job, as one that waits.
  virtual void track(const Job& job, const std::string& id) = 0;
  /// The id of a job of ours by its name; empty: there is none. Fails (environment) where nobody answers.
  virtual Result<std::string> found_by_name(const Job& job) = 0;
  /// Asks about all tracked jobs that are not gone.
  virtual Result<void> ask_queue() = 0;
  /// Whether a tracked job is gone, by the last answer.
  [[nodiscard]] virtual bool is_gone(const Job& job) const = 0;

  bool has_taken_ = false;
  std::set<std::string> expected_;  ///< jobs that were asked about and not yet taken on
  PollingClock clock_;
  Processes processes_;
};

}  // namespace shakedown
