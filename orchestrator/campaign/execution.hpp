#pragma once
#include <memory>
#include <utility>

#include "orchestrator/campaign/attempt_ledger.hpp"
#include "orchestrator/campaign/disturbed_runs.hpp"
#include "orchestrator/campaign/execution_context.hpp"
#include "orchestrator/campaign/node_watch.hpp"
#include "orchestrator/campaign/progress_events.hpp"
#include "orchestrator/campaign/recovery.hpp"
#include "orchestrator/campaign/replanner.hpp"
#include "orchestrator/campaign/stop_note.hpp"
#include "orchestrator/campaign/submit_queue.hpp"

namespace shakedown {

/// One run of the orchestrator over a campaign, from start or resume to its end: a loop that collects what
/// has ended and submits what can begin.
class Execution {
 public:
  Execution(OpenCampaign campaign, const EngineOptions& options, std::unique_ptr<Scheduler> scheduler)
      : context_(std::move(campaign), options, std::move(scheduler)),
        events_(context_),
        nodes_(context_, events_),
        ledger_(context_, events_, nodes_),
        queue_(context_, events_, nodes_, ledger_),
        recovery_(context_, events_, ledger_),
        replanner_(context_, events_, nodes_, ledger_),
        disturbed_(context_, events_, ledger_),
        interrupts_(context_, events_, queue_) {}

  Result<ExecutionEnd> run();

 private:
  /// From its begin until nothing remains to do, or somebody wants the end.
  Result<ExecutionEnd> executed();
  Result<ExecutionEnd> ended();
  /// Whether it ends now, because somebody wants that.
  [[nodiscard]] bool ends_now();

  /// What an earlier execution gave up may run in this one, except what another case took the place of.
  Result<void> begin();
  /// Recovers what earlier executions left.
  Result<void> recover();
  /// Gives up what can't run in this execution, and gets what the rest needs.
  Result<void> prepare_waiting();
  /// Records in the journal the state of the images after all has run.
  Result<void> note_images();

  /// Collects what has ended since it last looked.
  Result<void> collect();
  /// Whether a case of this machine ended well after a moment, with small logs.
  /// The nodes of a job that ended are free.
  void release(const RunningJob& running);
  [[nodiscard]] bool is_short_and_ended(const RunningJob& running) const;
  /// Collects such a case while the next one starts: else it would wait about as long as it takes. Longer
  /// ones have the machine for themselves.
  Result<void> collect_beside_next();
  /// Submits what can begin now.
  Result<void> dispatch();
  /// Checks the nodes that cases wait for, excludes those that stayed down, and plans again the cases that
  /// need them.
  Result<void> check_nodes();
  /// The last of the context's jobs is new.
  void job_accepted();
  /// Reports the state of each case, if that was not reported just now.
  void heartbeat();
  /// Until the next look, in seconds. The files that jobs write announce themselves to nobody: they are
  /// looked for more often while much happens, less often the more they are.
  [[nodiscard]] double pause_s() const;

  ExecutionContext context_;
  ProgressEvents events_;
  NodeWatch nodes_;
  AttemptLedger ledger_;
  SubmitQueue queue_;
  Recovery recovery_;
  Replanner replanner_;
  DisturbedRuns disturbed_;
  InterruptWatch interrupts_;
  std::vector<RunningJob> ended_;  ///< short ones that are to be collected
};

}  // namespace shakedown
