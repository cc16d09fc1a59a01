#pragma once
#include <cstddef>
#include <span>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// An interval between two of the values themselves, ranks counted from 1.
struct OrderInterval {
  double low = 0;
  double high = 0;
  std::size_t low_rank = 0;
  std::size_t high_rank = 0;
  double coverage = 0;  ///< what it covers exactly; at least what was asked for
};

/// The `share` quantile's interval (0.5: the median's) that excludes at most half of 1 - `confidence` on
/// either side, whatever the distribution: ranks by the binomial distribution.
///
/// Fails on values that are no numbers, shares and confidences outside of (0, 1), and where so few values
/// reach no such confidence: the sentence states what [least, greatest] covers, the hint how many would do.
///
/// Source: W. R. Thompson, "On Confidence Ranges for the Median and Other Expectation Distributions for
/// Populations of Unknown Distribution Form", Ann. Math. Stat. 7, 1936; W. J. Conover, "Practical
/// Nonparametric Statistics", 3.2.
Result<OrderInterval> quantile_interval(std::span<const double> values, double share, double confidence);

/// As above for the median.
Result<OrderInterval> median_interval(std::span<const double> values, double confidence = 0.95);

/// The greatest of the values that lies at or below the quantile with this confidence: one-sided, for
/// criteria such as "the lower 95 % limit of the median". `high` is infinite. Fails as above.
Result<OrderInterval> quantile_lower_limit(std::span<const double> values, double share, double confidence);

/// The fewest values that give `quantile_interval` an answer: 6 for the median at 95 %.
std::size_t values_needed(double share, double confidence);

}  // namespace shakedown
