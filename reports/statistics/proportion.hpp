#pragma once
#include <cstddef>
#include <span>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// A rate with the interval that it may truly have.
struct Proportion {
  double rate = 0;
  double low = 0;
  double high = 1;
};

/// A success rate by Wilson's score interval, which stays within 0 and 1 and has a width where all or none
/// succeeded. Fails without a trial, with more successes than trials, or a confidence outside of (0, 1).
///
/// Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22,
/// 1927; R. G. Newcombe, "Two-Sided Confidence Intervals for the Single Proportion", Stat. Med. 17, 1998.
Result<Proportion> wilson_interval(std::size_t successes, std::size_t trials, double confidence = 0.95);

/// How surely the k-th best of n runs lies no higher than the machine's `share` quantile (0.5: its median),
/// so that it may stand for a lower limit of it. The best of 3 does so against the median in 1/8 of all
/// campaigns only, the worst of 5 in 31/32. Fails unless 1 <= k <= n and 0 < share < 1.
///
/// Source: order statistics, H. A. David and H. N. Nagaraja, "Order Statistics", 7.1.
Result<double> best_of_confidence(std::size_t k, std::size_t n, double share = 0.5);

/// The k-th best of the values (`higher_is_better`, else the k-th smallest) where it is a lower confidence
/// limit of the median at `confidence`. Fails where it is none: the hint names the k of as many runs that
/// is, or how many runs it takes.
Result<double> best_of_lower_limit(std::span<const double> values, std::size_t k,
                                   bool higher_is_better = true, double confidence = 0.95);

/// The chance that at least k of n independent runs meet a limit which one meets with `chance`: what "k of
/// n", fixed before the first run, passes. Fails unless 1 <= k <= n and 0 <= chance <= 1.
Result<double> chance_of_k_of_n(std::size_t k, std::size_t n, double chance);

}  // namespace shakedown
