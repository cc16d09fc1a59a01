#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The state of a case.
enum class CaseState {
  waiting,  ///< the campaign has not given it to its scheduler
  queued,   ///< in a job that has not come to it
  running,
  done,
  failed,   ///< its last attempt has no result, and none follows
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
  std::string hosts;              ///< hostlist of the attempt's nodes; empty: not reported
  std::string waits_for;          ///< of one that waits: why, in the scheduler's words or ours
  std::optional<double> start_s;  ///< when the scheduler expects to start it; seconds since 1970
};

/// What a campaign takes of its nodes: nodes x wall time, of every attempt whatever became of it.
struct NodeHours {
  double spent = 0;  ///< by the attempts that ended, and by those that run so far
  double left = 0;   ///< by what has not ended yet, as predicted
  /// A time limit was used instead of a prediction: no more than `left` can follow.
  bool at_most = false;
  int unknown = 0;  ///< cases that have neither prediction nor limit: they are not in `left`
};
NodeHours node_hours(std::span<const CaseProgress> cases);

/// When the last case of a campaign will have ended.
struct TimeLeft {
  double seconds = 0;
  bool at_most = false;  ///< a time limit was used instead of a prediction
  int overdue = 0;       ///< cases that run past their prediction: how long they still take nobody knows
  int unknown = 0;       ///< cases that have neither prediction nor limit
};

/// The least time in which `nodes` nodes can do the remaining work: stage by stage the longest case or the
/// area of all of them, whichever is more, and behind them one by one those that nothing may run beside.
///
/// Source: R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", 1969 (lower bounds of a makespan).
TimeLeft time_left(std::span<const CaseProgress> cases, int nodes);

/// How long an attempt that ended held its nodes: as it recorded itself, else from its beginning to its last
/// sign of life. 0: it never began.
double ended_wall_s(const std::filesystem::path& attempt_folder);

/// A case that runs now.
struct RunningCase {
  std::string id;
  int number = 0;  ///< in the plan, from 1
  int attempt = 1;
  int nodes = 1;
  std::string job;    ///< the scheduler's name of its job; empty: none
  std::string hosts;  ///< hostlist; empty: not reported
  double elapsed_s = 0;
  double predicted_s = 0;       ///< 0: no model applies
  double predicted_high_s = 0;  ///< the upper end of the prediction's band
  double time_limit_s = 0;      ///< 0: none

  /// How long it has run past the band of its prediction; 0: it has not, or by less than a second.
  [[nodiscard]] double past_s() const;
  /// The predicted time; once that has passed, the end of its range. 0: not predicted.
  [[nodiscard]] double expected_s() const;
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
