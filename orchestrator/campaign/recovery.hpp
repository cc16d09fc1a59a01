#pragma once
#include <cstddef>

#include "orchestrator/campaign/attempt_ledger.hpp"
#include "orchestrator/campaign/job_book.hpp"

namespace shakedown {

/// Recovers what earlier executions left: records what ended, adopts what runs, abandons what never began.
class Recovery {
 public:
  Recovery(ExecutionContext& context, ProgressEvents& events, AttemptLedger& ledger);

  /// `jobs`: that the campaign ever had.
  Result<void> recover(JobBook& jobs);
  /// Jobs of which nothing is known yet.
  [[nodiscard]] int not_adopted() const { return not_adopted_; }

 private:
  /// Records attempts before the last that the store does not have: they ended long ago.
  Result<void> record_earlier(AttemptPlace place);
  /// An attempt that ended in an earlier execution, or between the two.
  Result<void> recover_ended(std::size_t work, const AttemptPlace& place, const Finished& finished,
                             const JobSeat& seat);
  /// An attempt that the journal records as ended in an earlier execution, and whose files vanished since:
  /// the store's record of it stays.
  Result<void> recover_without_files(std::size_t work, const AttemptPlace& place, AttemptState ended);
  /// An attempt that did not record its end, which the scheduler reported to an earlier execution.
  Result<void> recover_lost(std::size_t work, const AttemptPlace& place, const JobState& reported,
                            const JobSeat& seat);
  /// An attempt that may be in the store already.
  Result<AttemptRecord> collected_again(std::size_t work, const AttemptPlace& place);
  /// Takes on a job of an earlier execution; what of it never began never will.
  Result<void> adopt(RunningJob running);
  /// What had not begun when its job was taken out of the queue begins in this execution.
  Result<void> abandon_cancelled(RunningJob& running);
  /// Fails where an attempt was started on another host, which alone knows of it.
  Result<void> check_host(const RunningJob& running) const;

  ExecutionContext& context_;
  ProgressEvents& events_;
  AttemptLedger& ledger_;
  int last_stage_ = 0;   ///< of all cases
  int not_adopted_ = 0;  ///< jobs of earlier executions of which nothing is known yet
};

}  // namespace shakedown
