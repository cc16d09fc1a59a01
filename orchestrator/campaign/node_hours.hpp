#pragma once
#include <filesystem>
#include <span>

#include "orchestrator/campaign/case_progress.hpp"

namespace shakedown {

/// What a campaign takes of its nodes: nodes x wall time, of every attempt whatever became of it.
struct NodeHours {
  double spent = 0;  ///< by the attempts that ended, and by those that run so far
  double left = 0;   ///< by what has not ended yet, as predicted
  /// A time limit stood in for a prediction: no more than `left` can follow.
  bool at_most = false;
  int unknown = 0;  ///< cases that have neither prediction nor limit: they are not in `left`
};
NodeHours node_hours(std::span<const CaseProgress> cases);

/// When the last case of a campaign will have ended.
struct TimeLeft {
  double seconds = 0;
  bool at_most = false;  ///< a time limit stood in for a prediction
  int overdue = 0;       ///< cases that run past their prediction: how long they still take nobody knows
  int unknown = 0;       ///< cases that have neither prediction nor limit
};

/// The least time in which `nodes` nodes can do what is left: stage by stage the longest case or the area of
/// all of them, whichever is more, and behind them one by one those that nothing may run beside.
///
/// Source: R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", 1969 (lower bounds of a makespan).
TimeLeft time_left(std::span<const CaseProgress> cases, int nodes);

/// How long an attempt that ended held its nodes: as it says itself, else from its beginning to its last sign
/// of life. 0: it never began.
double ended_wall_s(const std::filesystem::path& attempt_folder);

}  // namespace shakedown
