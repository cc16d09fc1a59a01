#pragma once
#include <cstddef>

namespace shakedown {

// The distributions that tests lean on; "tail" is P(X > x), and a limit is the x whose tail is `tail`.
// All give NaN outside their domain, none throws. Computed by Boost.Math.

double normal_tail(double x);
/// 0 < tail < 1.
double normal_limit(double tail);

/// Student's t with `freedom` > 0 degrees of freedom, which need not be whole.
double student_tail(double x, double freedom);
double student_limit(double tail, double freedom);

/// Student's t of a mean that lies `shift` standard errors from the hypothesis: what power follows from.
double noncentral_student_tail(double x, double freedom, double shift);

/// P(X <= successes) of `trials` independent trials that succeed with probability `chance` each. 0 for
/// `successes` < 0.
double binomial_at_most(double successes, std::size_t trials, double chance);

}  // namespace shakedown
