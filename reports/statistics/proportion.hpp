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

/// A success rate with its exact interval: the rates that both tails of the binomial distribution allow, each
/// at half of 1 - confidence. It holds the true rate with the confidence at least, whatever that is; so what
/// a contract takes as proven is: 10 of 10 prove 74.1 % at 95 % one-sided (confidence 0.9). Fails as
/// `wilson_interval`.
///
/// Source: C. J. Clopper and E. S. Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case
/// of the Binomial", Biometrika 26, 1934.
Result<Proportion> exact_interval(std::size_t successes, std::size_t trials, double confidence = 0.95);

/// A success rate by Wilson's score interval, which stays within 0 and 1 and has a width where all or none
/// succeeded. It holds the true rate with the confidence on average over rates, and less near 0 and 1: for
/// the interval of a difference, not for proof. Fails without a trial, with more successes than trials, or a
/// confidence outside of (0, 1).
///
/// Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22,
/// 1927; R. G. Newcombe, "Two-Sided Confidence Intervals for the Single Proportion", Stat. Med. 17, 1998.
Result<Proportion> wilson_interval(std::size_t successes, std::size_t trials, double confidence = 0.95);

/// The chance that at least k of n independent runs meet a limit which one meets with `chance`: that "k of
/// n", fixed before the first run, passes. Fails unless 1 <= k <= n and 0 <= chance <= 1.
Result<double> chance_of_k_of_n(std::size_t k, std::size_t n, double chance);

/// What was tried, and what of it succeeded.
struct Trials {
  std::size_t successes = 0;
  std::size_t trials = 0;
};

/// Two success rates beside each other.
struct RateChange {
  Proportion before;  ///< with exact intervals
  Proportion after;
  double difference = 0;  ///< after - before: -0.5 is half of all attempts
  double low = -1;        ///< its interval
  double high = 1;
  double p = 1;  ///< Fisher's exact test, two-sided
};

/// Whether a success rate changed: the exact test of Fisher (all tables of the same margins that are no
/// likelier than the one seen), and the interval of the difference that Newcombe makes of Wilson's two.
///
/// Fails as `wilson_interval`.
///
/// Source: R. A. Fisher, "The Design of Experiments", 1935; R. G. Newcombe, "Interval Estimation for the
/// Difference between Independent Proportions: Comparison of Eleven Methods", Stat. Med. 17, 1998, method 10.
Result<RateChange> rate_change(const Trials& before, const Trials& after, double confidence = 0.95);

}  // namespace shakedown
