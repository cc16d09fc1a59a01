#pragma once
#include <optional>
#include <string>

#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// Where a case stands.
enum class CaseState {
  waiting,  ///< the campaign has not given it to its scheduler
  queued,   ///< in a job that has not come to it
  running,
  done,
  failed,   ///< its last attempt left no result, and none follows
  not_run,  ///< nor will it be
};

/// A case at one instant, for whoever watches its campaign.
struct CaseProgress {
  const Case* planned = nullptr;  ///< never null
  int number = 0;                 ///< in the plan, from 1
  CaseState state = CaseState::waiting;
  int attempt = 0;                ///< the last; 0: none
  double elapsed_s = 0;           ///< of the attempt that runs
  double spent_s = 0;             ///< wall time of all its attempts that ended
  std::string job;                ///< the scheduler's name of its job; empty: none
  std::string hosts;              ///< hostlist of the attempt's nodes; empty: not told
  std::string waits_for;          ///< of one that waits: why, in the scheduler's words or ours
  std::optional<double> start_s;  ///< when the scheduler expects to start it; seconds since 1970
};

}  // namespace shakedown
