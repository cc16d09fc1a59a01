#pragma once
#include <cstddef>

#include "orchestrator/core/error.hpp"
#include "reports/statistics/proportion.hpp"

namespace shakedown {

/// What was tried, and what of it succeeded.
struct Trials {
  std::size_t successes = 0;
  std::size_t trials = 0;
};

/// Two success rates beside each other.
struct RateChange {
  Proportion before;  ///< with Wilson's intervals
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
