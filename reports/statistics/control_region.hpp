#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {

/// How many values a control region begins with, an outlier among them included, before an alarm is possible.
inline constexpr std::size_t control_least = 8;

/// So many of the newest values never belong to it.
inline constexpr std::size_t control_newest = 4;

/// A series replayed: what each value was measured against when it was the newest. Logarithms, turned so
/// that less is worse.
struct ControlRegion {
  Moments control;             ///< of the values that the newest is judged by
  std::vector<bool> kept_out;  ///< of each value: it was, or was part of, what clearly lay below
  std::size_t begin = 0;       ///< so many first values were taken to begin it with
  bool newest_suspect = false;
  std::size_t window = 0;  ///< of the newest: how many last values lie furthest below, in standard errors
  double loss = 0;         ///< by how much those do
};

/// Replays `turned` in one go, in time proportional to its length. `tail` is the suspicion's one-sided level
/// and `least_loss` its magnitude, a difference of logarithms. Excluded from the control region is what lay
/// below at a tenth of that level, and of the first 8 values the lowest at an eighth of that: excluding all
/// that looks suspect would make the region look better and steadier than the machine is. Precondition: three
/// values and the newest, all finite.
ControlRegion control_region(std::span<const double> turned, double tail, double least_loss);

/// The band that the next value is expected in.
struct ControlLimits {
  double centre = 0;
  double deviation = 0;  ///< of one value
  double low = 0;
  double high = 0;
  std::size_t n = 0;
};

/// The limits that the next value exceeds with the probability `tail` on either side where nothing changed,
/// the values being few: mean and t(n - 1) s sqrt(1 + 1/n), exact for normal noise from 3 values on. Fails
/// with fewer, and unless 0 < tail < 0.5.
///
/// Source: G. J. Hahn and W. Q. Meeker, "Statistical Intervals", 1991, 4.7.
Result<ControlLimits> prediction_limits(const Moments& control, double tail);

/// A straight line through the values of equally spaced runs.
struct Trend {
  double slope = 0;      ///< per run, in the values' unit
  double error = 0;      ///< its standard error
  double total = 0;      ///< slope x (n - 1)
  double p_falling = 1;  ///< one-sided: a slope as far below 0 where there is none
  double p_rising = 1;
};

/// The trend by least squares, with Student's t for its slope. Fails with fewer than three values.
///
/// Source: N. R. Draper and H. Smith, "Applied Regression Analysis", 1.4.
Result<Trend> linear_trend(std::span<const double> values);

}  // namespace shakedown
