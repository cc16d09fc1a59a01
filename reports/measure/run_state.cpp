#include "reports/measure/run_state.hpp"

#include <algorithm>

#include "reports/measure/measurement.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {

std::string_view to_string(RunState state) {
  switch (state) {
    case RunState::not_run:
      return "not run";
    case RunState::replaced:
      return "replaced";
    case RunState::running:
      return "running";
    case RunState::stopped:
      return "stopped";
    case RunState::failed:
      return "failed";
    case RunState::invalid:
      return "invalid";
    case RunState::unproven:
      return "validity unknown";
    case RunState::complete:
      return "complete";
    case RunState::valid:
      break;
  }
  return "valid";
}

RunState run_state(const CampaignRecord& campaign, const MeasuredCase& record, const AttemptRecord& attempt,
                   const ResultRecord* result) {
  if (attempt.state == AttemptState::running) return RunState::running;
  if (never_began(attempt)) return RunState::not_run;
  if (std::ranges::find(record.counted, result, &CountedResult::result) == record.counted.end()) {
    if (stopped_by_hand(attempt)) return RunState::stopped;
    if (result != nullptr && !result->parsed.complete) return RunState::failed;  // its log ends before
    return succeeded(campaign, record, attempt) ? RunState::complete : RunState::failed;
  }
  if (result->validity == Validity::valid) return RunState::valid;
  if (valid_but_for_length(campaign, *result)) return RunState::complete;
  if (result->validity == Validity::invalid) return RunState::invalid;
  return usable(*result) ? RunState::complete : RunState::unproven;
}

std::string run_state_text(const CampaignRecord& campaign, const MeasuredCase& record,
                           const AttemptRecord& attempt, const ResultRecord* result) {
  const RunState state = run_state(campaign, record, attempt, result);
  std::string text(to_string(state));
  if (state != RunState::valid && state != RunState::complete) return text;
  if (stopped_by_hand(attempt)) return text + ", then stopped";
  const bool clean = ended_by_itself(attempt) && attempt.exit_code.value_or(0) == 0 && !attempt.signal;
  return clean ? text : text + ", then failed";
}

RunState run_state(const CampaignRecord& campaign, const MeasuredCase& record) {
  if (!record.own.empty())
    return run_state(campaign, record, *record.own.back().attempt, record.own.back().result);
  if (!record.attempts.empty()) return run_state(campaign, record, record.attempts.back(), nullptr);
  return record.replaced ? RunState::replaced : RunState::not_run;
}

}  // namespace shakedown
