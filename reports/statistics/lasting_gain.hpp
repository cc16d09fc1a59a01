#pragma once
#include <cstddef>
#include <optional>
#include <span>

namespace shakedown {

/// A level above the one before that a series went over to and stayed at.
struct LastingGain {
  std::size_t from = 0;  ///< the first value of the new level
  double gain = 0;       ///< difference of logarithms
  double p = 1;          ///< Student's two-sample t, one-sided
};

/// The last lasting gain of a series of logarithms, turned so that more is better; nothing: there is none.
/// It is one of the change points that Hunter finds with the settings for weekly runs. From it on there are 8
/// values; the median of the first 8 (or of all up to the next change point, where they are more) lies
/// `least` above the highest level since the gain before; and they are above it as surely as an alarm is: by
/// Student's t at `significance`, and by the exact Mann-Whitney test at it, or each above all others where
/// the values are too few for that. A loss is none, and neither is a part of it that comes back. In time
/// proportional to the length.
///
/// Source: as `hunter_change_points`, `mann_whitney_test`.
std::optional<LastingGain> lasting_gain(std::span<const double> turned, double least, double significance);

}  // namespace shakedown
