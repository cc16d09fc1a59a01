#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shakedown {

/// On which side of its limit a value must lie.
enum class Direction { at_least, at_most };
std::string_view to_string(Direction direction);  ///< ">=", "<="
/// The sign between a value and its limit: "≥", or "<" where it does not hold.
std::string_view relation(Direction direction, bool holds);

/// How one value is made of the runs that a criterion is judged on.
///
///   every             the worst run: every one must meet the limit
///   median            of all runs
///   lower_confidence  the run that is a lower limit of the median (an upper one of a criterion on "<=") with
///                     `confidence`, whatever the runs' distribution: reports/statistics/order_interval.hpp
///   best_of           the k-th best of n runs, both fixed before the first; runs after the n-th don't count
///   rate              of reliability: attempts that succeeded over those that were started
struct Aggregation {
  /// none: of validity, where every result counts by itself.
  enum class Kind { none, every, median, lower_confidence, best_of, rate };
  Kind kind = Kind::none;
  double confidence = 0.95;  ///< of lower_confidence, one-sided
  int k = 1;                 ///< of best_of
  int n = 1;

  /// The fewest runs that it can be made of: 5 for the lower 95 % limit of a median.
  [[nodiscard]] int fewest_runs() const;
  /// "lowest", "median", "lower 95 % limit of the median", "number 2 of the best": what it takes of runs
  /// where `direction` is the good one.
  [[nodiscard]] std::string text(Direction direction) const;
};

std::string_view to_string(Aggregation::Kind kind);  ///< as criteria write it; empty: none

/// "95 %", "99.9 %": with as many digits as it has, so that none is shown as 100 %.
std::string confidence_text(double confidence);

/// What an aggregation made of runs.
struct Aggregated {
  std::optional<double> value;
  std::string text;     ///< "median of 3 results"; "one result"
  std::string lacking;  ///< why there is no value: a sentence; empty: there is one
};

/// The aggregate of `points`, in the order of their start. No value if there are fewer than it takes.
Aggregated aggregated(const Aggregation& how, std::span<const double> points, Direction direction);

}  // namespace shakedown
