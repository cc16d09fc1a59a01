#pragma once
#include <cstddef>

namespace shakedown {

/// Whether a probability, a confidence or a significance lies between 0 and 1, neither of them included.
bool is_share(double value);

// The distributions that tests lean on; "tail" is P(X > x), and a limit is the x whose tail is `tail`.
// All give NaN outside their domain, none throws. Computed by Boost.Math.

double normal_tail(double x);
/// 0 < tail < 1.
double normal_limit(double tail);

/// P(X > x) of the median of 2 `half` standard normal values, the mean of the two middle ones. `half` > 0.
///
/// With the upper one of the two at y above x, the lower lies between 2 x - y and y, and half - 1 values lie
/// on either side; integrated over y. Source: H. A. David and H. N. Nagaraja, "Order Statistics", 2.2.
double normal_even_median_tail(double x, std::size_t half);

/// Student's t with `freedom` > 0 degrees of freedom, which need not be whole.
double student_tail(double x, double freedom);
double student_limit(double tail, double freedom);

/// P(X <= successes) of `trials` independent trials that succeed with probability `chance` each. 0 for
/// `successes` < 0.
double binomial_at_most(double successes, std::size_t trials, double chance);
/// The chance of one trial at which `successes` or more of `trials` have the probability `tail`: below it,
/// that many are rarer. 0 without a success.
double binomial_lower_chance(std::size_t successes, std::size_t trials, double tail);

/// P(X = k) of `drawn` without putting back from `all`, of which `marked` count. 0 where that can't be.
double hypergeometric(std::size_t k, std::size_t drawn, std::size_t marked, std::size_t all);

}  // namespace shakedown
