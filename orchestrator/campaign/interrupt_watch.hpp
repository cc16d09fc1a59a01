#pragma once
#include "orchestrator/campaign/submit_queue.hpp"

namespace shakedown {

/// What the user does to stop an execution: Ctrl-C, a signal, `shakedown cancel`.
class InterruptWatch {
 public:
  InterruptWatch(ExecutionContext& context, ProgressEvents& events, SubmitQueue& queue)
      : context_(context), events_(events), queue_(queue) {}

  /// Looks whether the user wants to stop, reports it, and ends the jobs that shall end.
  void look();
  /// Waits a moment for a second Ctrl-C before jobs are left to the batch system. Whether it came.
  [[nodiscard]] bool wait_for_second();
  /// The scheduler did not answer when it was asked to end jobs.
  [[nodiscard]] bool is_end_unanswered() const { return end_unanswered_; }

 private:
  void report(bool ends_nothing);
  void end_jobs(bool at_once);
  /// Writes into the attempts that are ended by hand who did.
  void note_stop() const;

  ExecutionContext& context_;
  ProgressEvents& events_;
  SubmitQueue& queue_;
  int seen_ = 0;           ///< interrupts
  bool reported_ = false;  ///< that the user wants to stop
  bool end_unanswered_ = false;
};

}  // namespace shakedown
