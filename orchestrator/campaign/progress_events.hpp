#pragma once
#include <span>
#include <string>
#include <vector>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/campaign/execution_context.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {

/// Reports what happens in an execution to its listener.
class ProgressEvents {
 public:
  explicit ProgressEvents(const ExecutionContext& context) : context_(context) {}

  /// An event of a case, to be completed and reported.
  [[nodiscard]] Event of_case(Event::Kind kind, std::size_t work, int attempt) const;
  void report(Event event);
  void report(Event::Kind kind, std::size_t work, int attempt) { report(of_case(kind, work, attempt)); }
  /// Notes when an attempt began, and reports it. False: it was known to have begun.
  bool report_start(const RunningJob& running, RunningStep& step);
  /// Keeps what is reported until `report_held`.
  void hold() { holding_ = true; }
  /// Reports again; what was kept waits on.
  void report_held_later() { holding_ = false; }
  /// Reports what was kept.
  void report_held();
  /// Why a job waits, each reason once.
  void report_waiting(RunningJob& running, const std::string& reason);
  /// The attempts that run, every `heartbeat_s`.
  void report_running();
  /// That the scheduler does not answer, once until it does (`note_answer`).
  void report_silent(std::string words);
  void note_answer() { silent_ = false; }
  [[nodiscard]] bool is_silent() const { return silent_; }

  /// Whether the campaign's progress is to be reported: every `heartbeat_s`, and soon after anything else.
  [[nodiscard]] bool heartbeat_due() const;
  void heartbeat(std::span<const CaseProgress> cases);

 private:
  [[nodiscard]] int steps_running() const;

  const ExecutionContext& context_;
  bool holding_ = false;
  std::vector<Event> held_;
  bool silent_ = false;  ///< the scheduler did not answer, and that was reported
  bool changed_ = true;  ///< something was reported since the last heartbeat
  const double since_s_ = steady_s();
  double heartbeat_s_ = 0;  ///< when the last was
  double running_s_ = 0;    ///< when `report_running` last reported
};

}  // namespace shakedown
