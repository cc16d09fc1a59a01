#pragma once
#include <map>
#include <set>
#include <string>

#include "orchestrator/campaign/attempt_ledger.hpp"
#include "orchestrator/campaign/calm_watch.hpp"
#include "orchestrator/campaign/execution_context.hpp"
#include "orchestrator/campaign/progress_events.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/layout.hpp"

namespace shakedown {

/// How often a case is measured, the repeats of a disturbed one included, before somebody asks again.
inline constexpr int measured_at_most = 3;

/// Waits for calm before cases of this machine begin, and measures disturbed cases again when all have run;
/// resuming a campaign that had come to its end measures nothing again unless that is asked for.
/// Which cases: by the rule of `to_measure_again` alone, from what is stored, so that it is the same after
/// any crash. All attempts are kept; which of them count is the judge's rule.
class DisturbedRuns {
 public:
  DisturbedRuns(ExecutionContext& context, ProgressEvents& events, AttemptLedger& ledger);

  /// Whether the next case may begin. Where this machine stays disturbed, first measurements begin all the
  /// same, and repeats do not.
  bool may_begin();
  /// When nothing runs or waits any more: lets the disturbed cases wait for another attempt. Whether there
  /// are any.
  Result<bool> measure_again();
  /// What the next case waits for; empty: for nothing.
  [[nodiscard]] std::string waits_for() const;
  [[nodiscard]] bool is_looking() const { return calm_.is_looking(); }

 private:
  void report_wait(std::size_t work);
  void give_up_repeats();

  ExecutionContext& context_;
  ProgressEvents& events_;
  AttemptLedger& ledger_;
  Criteria criteria_;
  CalmWatch calm_;
  bool waiting_ = false;
  bool given_up_ = false;                   ///< nothing is repeated: this machine stays disturbed, or the
                                            ///< campaign had come to its end and nobody asked for repeats
  double reported_s_ = 0;                   ///< when a wait was last reported
  std::map<std::size_t, CaseState> again_;  ///< cases that are measured again, with their state before
};

/// Asks that every disturbed case of a campaign is measured again, and no other, by the campaign's next
/// execution. How many there are.
Result<int> request_disturbed(const Workspace& workspace, const std::string& id, const Layout& layout,
                              const LockOptions& lock = {});

}  // namespace shakedown
