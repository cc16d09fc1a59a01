#pragma once
#include <cstddef>

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

/// The chance that at least k of n independent runs meet a limit which one meets with `chance`: what "k of
/// n", fixed before the first run, passes. Fails unless 1 <= k <= n and 0 <= chance <= 1.
Result<double> chance_of_k_of_n(std::size_t k, std::size_t n, double chance);

}  // namespace shakedown
