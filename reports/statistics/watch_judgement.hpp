#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/statistics/control_region.hpp"
#include "reports/statistics/watch.hpp"
#include "reports/statistics/watch_difference.hpp"

namespace shakedown {

/// The level at which fresh runs must lie below by their own spread.
inline constexpr double watch_agreement = 0.05;

/// A judgement in the making: what `watch` and its parts work on.
struct WatchJudgement {
  const WatchedSeries& series;
  const WatchLimits& limits;
  std::size_t offset = 0;                   ///< the value that the control region begins with
  std::vector<double> turned;               ///< logarithms since then; less is worse
  std::vector<std::vector<double>> checks;  ///< the same of the repeats of the last checks, the newest last
  ControlRegion region;
  Watched said;

  /// A difference of logarithms as a loss of the metric itself.
  [[nodiscard]] double share(double loss) const;
  /// Whether the runs of a check are so much alike that it takes several.
  [[nodiscard]] bool by_checks() const { return series.by_checks && series.shared > 0; }
  [[nodiscard]] double least_loss() const { return watch_least_loss(series.better, limits.magnitude); }
  [[nodiscard]] double least_gain() const { return watch_least_gain(series.better, limits.magnitude); }
  /// "3.1 % below".
  [[nodiscard]] std::string place(double loss) const;
  /// "the control region of 24 runs (100.1)".
  [[nodiscard]] std::string control_text(std::string_view name) const {
    return control_text(name, region.control);
  }
  [[nodiscard]] std::string control_text(std::string_view name, const Moments& of) const;
  /// The values that the control region is made of.
  [[nodiscard]] std::vector<double> control() const;
  [[nodiscard]] LossInterval interval(const LossTest& comparison) const;
  /// The newest value, itself, against what it is expected to be.
  void put_newest();
  void put(const LossTest& comparison, std::string of);
};

/// Judges the alarm: `said` without what the floor adds.
void judge_loss(WatchJudgement& judgement);

}  // namespace shakedown
