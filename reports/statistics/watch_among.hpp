#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "reports/statistics/watch.hpp"

namespace shakedown {

/// A node beside others like it, before it has a history of its own.
struct WatchedAmong {
  WatchState state = WatchState::too_few;  ///< too_few, in_control, suspect, not_confirmed or alarm
  std::size_t repeats_wanted = 0;
  double expected = 0;    ///< what such a node gives (geometric mean), in the metric's unit
  LossEvidence evidence;  ///< of the value, or of the mean of the repeats
  std::string text;
};

/// The fewest like nodes that one is judged beside, and the repeats that decide.
inline constexpr std::size_t like_nodes_least = 8;
inline constexpr std::size_t like_nodes_repeats = 4;

/// Judges the first value of a node in a check, and then its repeats, by one value of each like node, in two
/// steps as `watch`: suspect where it lies below by t > t(0.01) and by the magnitude; an alarm where the mean
/// of 4 repeats does at `significance()`, too, and lies below each of the others. Their values differ by
/// node, day and run, as this one does from them, so that one more of the same kind is what is expected; that
/// its mean has less of the runs' noise makes the test the stricter. What always was a node's own is no
/// different from a loss here: a node that is slower than all others by far is reported, whatever the reason.
///
/// Too few like nodes, and limits without repeats, leave it at too_few. Precondition: values above 0.
///
/// Source: the interval of one further value, G. J. Hahn and W. Q. Meeker, "Statistical Intervals", 4.7.
WatchedAmong watch_among(std::span<const double> like, double value, std::span<const double> repeats,
                         Better better, const WatchLimits& limits);

}  // namespace shakedown
