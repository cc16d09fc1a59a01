#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shakedown {

/// How one figure is made of the runs that a clause is judged on.
///
///   every             the worst run: every one must meet the limit
///   median            of all runs
///   lower_confidence  the run that is a lower limit of the median (an upper one of a clause on "<=") with
///                     `confidence`, whatever the runs' distribution: reports/statistics/order_interval.hpp
///   best_of           the k-th best of n runs, both fixed before the first; runs after the n-th don't count
///   rate              of reliability: attempts that succeeded over those that were started
struct Aggregation {
  std::string kind;          ///< empty: none, every result counts by itself
  double confidence = 0.95;  ///< of lower_confidence, one-sided
  int k = 1;                 ///< of best_of
  int n = 1;

  /// The fewest runs that it can be made of: 5 for the lower 95 % limit of a median.
  [[nodiscard]] int fewest_runs() const;
  /// "lowest", "median", "lower 95 % limit of the median", "number 2 of the best": what it takes of runs
  /// where `direction` is the good one.
  [[nodiscard]] std::string text(std::string_view direction) const;
};

/// "95 %", "99.9 %": with as many digits as it has, so that none is shown as 100 %.
std::string confidence_text(double confidence);

/// What an aggregation made of runs.
struct Aggregated {
  std::optional<double> value;
  std::string text;     ///< "median of 3 results"; "one result"
  std::string lacking;  ///< why there is no value: a sentence; empty: there is one
};

/// The figure of `points`, in the order of their start. `direction`: ">=" where more is better. No value
/// where there are fewer than it takes.
Aggregated aggregated(const Aggregation& how, std::span<const double> points, std::string_view direction);

}  // namespace shakedown
