#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/progress.hpp"

namespace shakedown {

/// The rate of a run over its progress: at each moment, and on average since the start. `final_gflops`: the
/// rate that the run ended with, a line; none: it did not end.
std::string progress_plot(const std::vector<ProgressPoint>& points, std::optional<double> final_gflops);

/// A run on the time axis of a campaign.
struct TimedRun {
  std::string name;
  double from_s = 0;                  ///< seconds since 1970
  double to_s = 0;                    ///< later
  double others_cores = 0;            ///< mean number of cores that other processes used
  double stolen_cores = 0;            ///< mean number of cores that the hypervisor took
  bool beyond_limit = false;          ///< more than the criteria allow
  std::optional<double> limit_cores;  ///< that other processes may use; none: the criteria state no limit
  std::optional<double> stolen_limit_cores;  ///< that the hypervisor may take; none: no limit
};

/// Runs that would be too narrow to be seen: one for each of `count` equal spans of time in which any of them
/// began, with the most that these lost, the lowest limit, and whether one is beyond it. In the order of
/// time.
std::vector<TimedRun> worst_of_spans(const std::vector<TimedRun>& runs, std::size_t count);

/// The row of each run, so that none overlaps another one in its row. `runs`: in the order in which they
/// began.
std::vector<std::size_t> rows_without_overlap(const std::vector<TimedRun>& runs);

/// Cores that the runs lost to others, over time: a shaded span for each run, in its left half what other
/// processes used and in its right half what the hypervisor took, each with its limit as a line across it.
/// Runs at the same time lie in rows. `runs`: not empty, in the order in which they began.
std::string disturbance_plot(const std::vector<TimedRun>& runs);

}  // namespace shakedown
