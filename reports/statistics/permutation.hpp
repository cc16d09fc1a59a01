#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What a test looks for in the second sample.
enum class Alternative { differs, is_less, is_greater };

struct TestResult {
  double p = 1;
  double statistic = 0;
  bool exact = true;        ///< every arrangement was counted, no approximation
  double error = 0;         ///< the standard error of p where arrangements were drawn
  std::uint64_t count = 0;  ///< arrangements looked at
  std::string_view method;  ///< in words, for a report
};

/// The two-sample permutation test of the difference of means: the share of all ways to deal the values to
/// the two samples that differ as much as what was seen. Enumerated up to 200,000 ways, else 100,000 seeded
/// draws, of which what was seen counts as one so that p is never 0.
///
/// The smallest one-sided p of 3 against 3 is 0.05, of 4 against 4 0.0143, of 5 against 5 0.0040.
///
/// Fails as `check_two_samples`: there is no p-value against a single published value.
///
/// Source: E. J. G. Pitman, "Significance Tests Which May be Applied to Samples from any Populations", 1937;
/// drawn: B. Phipson and G. K. Smyth, "Permutation P-values Should Never Be Zero", 2010.
Result<TestResult> permutation_test(std::span<const double> first, std::span<const double> second,
                                    Alternative alternative = Alternative::differs, std::uint64_t seed = 1);

}  // namespace shakedown
