#pragma once
#include <cstddef>
#include <span>
#include <vector>

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
/// and `least_loss` its magnitude, a difference of logarithms. Kept out of the control region is what lay
/// below at a tenth of that level, and of the first 8 values the lowest at an eighth of that: those who keep
/// out all that looks suspect make the region look better and steadier than the machine is. Precondition:
/// three values and the newest, all finite.
ControlRegion control_region(std::span<const double> turned, double tail, double least_loss);

}  // namespace shakedown
