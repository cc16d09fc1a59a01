#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/store/series.hpp"
#include "reports/measure/like_runs.hpp"
#include "reports/statistics/before_after.hpp"

namespace shakedown {

/// What earlier campaigns and checks show of how much a metric differs from day to day.
///
/// A day is a date (UTC) on which runs of the same build, parameters and number of nodes gave valid results,
/// before the first of the two campaigns, or, where those are too few, before the second. Days are set beside
/// each other that lie as far apart as the two campaigns, or a week: the newest 30 such, and what lies
/// between them. A change that fell into them makes the spread larger, and a comparison the more careful.
class DayHistory {
 public:
  /// `past`: the system's series; null: nothing is known. All outlive it.
  DayHistory(const SystemSeries* past, const LikeRuns& before, const LikeRuns& after);

  /// The spread of a metric that was measured on these nodes, each by itself: of the days' levels, each value
  /// as a share of what its node usually gives. Without names: on nodes together, whichever they were.
  [[nodiscard]] std::optional<DaySpread> spread(const LikeMetric& metric,
                                                std::span<const std::string> nodes) const;

 private:
  const SystemSeries* past_;
  std::vector<bool> is_own_;       ///< of each run of `past_`: of one of the two sides
  std::vector<bool> of_campaign_;  ///< of one of the two campaigns, by whatever case
  double first_s_ = 0;             ///< when the earlier campaign was made
  double last_s_ = 0;
  long apart_ = 1;  ///< days between the days that are set beside each other
};

}  // namespace shakedown
