#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/campaign/case_progress.hpp"
#include "orchestrator/campaign/node_hours.hpp"

namespace shakedown {

/// A case that runs now.
struct RunningCase {
  std::string id;
  int number = 0;  ///< in the plan, from 1
  int attempt = 1;
  int nodes = 1;
  std::string job;    ///< the scheduler's name of its job; empty: none
  std::string hosts;  ///< hostlist; empty: not told
  double elapsed_s = 0;
  double predicted_s = 0;       ///< 0: no model applies
  double predicted_high_s = 0;  ///< the upper end of the prediction's band
  double time_limit_s = 0;      ///< 0: none

  /// How long it has run past the band of its prediction; 0: it has not.
  [[nodiscard]] double past_s() const;
};

/// Cases that wait for the same thing.
struct WaitingCases {
  std::string reason;   ///< in the scheduler's words ("Resources") or ours ("no idle node")
  bool queued = false;  ///< they are in jobs that the scheduler has; else the campaign holds them
  int cases = 0;
  int jobs = 0;                   ///< that they are in
  int first_number = 0;           ///< of the first of them, in the plan
  std::string first;              ///< its id
  std::string first_job;          ///< the scheduler's name of its job; empty: none
  std::optional<double> start_s;  ///< when the scheduler expects to start the first; seconds since 1970
};

/// A campaign at one instant, as a watcher sees it.
struct CampaignProgress {
  int cases = 0;
  int done = 0;
  int failed = 0;
  int not_run = 0;
  int waiting = 0;       ///< queued ones included
  double elapsed_s = 0;  ///< of this execution; 0: not known
  bool stopping = false;
  bool at_once = false;  ///< that is, without grace: it was asked for twice
  NodeHours node_hours;
  TimeLeft time_left;
  std::vector<RunningCase> running;  ///< the longest first
  std::vector<WaitingCases> waits;   ///< in the plan's order of their first cases
};

/// Sums up. `nodes`: of the pool that the cases are given out to.
CampaignProgress campaign_progress(std::span<const CaseProgress> cases, int nodes);

/// Why a case waits whose stage has not begun: "stage 2 waits for stage 1".
std::string stage_reason(const Case& planned, int open_stage);

}  // namespace shakedown
