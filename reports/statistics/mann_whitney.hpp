#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What a test looks for in the second sample.
enum class Alternative { differs, is_less, is_greater };

struct TestResult {
  double p = 1;
  double statistic = 0;
  bool exact = true;        ///< every arrangement was counted, no approximation
  std::string_view method;  ///< in words, for a report
};

/// The Mann-Whitney (Wilcoxon rank sum) test. `statistic` is U: in how many pairs the second sample's value
/// is the greater, ties counting half. Exact, ties included (mid-ranks, every deal of them counted), up to
/// 60 values in all, and beyond them while the smaller sample has at most 12: few against many are far from
/// normal where they lie furthest out. Else, and where counting would take some 20 ms (hundreds of values,
/// near the middle), the normal approximation with corrections for ties and continuity.
///
/// The smallest one-sided p of 3 against 3 is 0.05, of 4 against 4 0.0143, of 5 against 5 0.0040.
///
/// Fails as `check_two_samples`: there is no p-value against a single published value.
///
/// Source: H. B. Mann and D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically
/// Larger than the Other", Ann. Math. Stat. 18, 1947; ties: M. Hollander and D. A. Wolfe, "Nonparametric
/// Statistical Methods", 4.1.
Result<TestResult> mann_whitney_test(std::span<const double> first, std::span<const double> second,
                                     Alternative alternative = Alternative::differs);

/// By how much the second sample lies above the first, in their unit: the median of all differences, and the
/// interval between two of those differences.
struct Shift {
  double estimate = 0;
  double low = 0;
  double high = 0;
  double coverage = 0;  ///< exact where no values tie, at least as much where they do
  bool exact = true;    ///< false: ranks by the normal approximation (more than 60 values)
};

/// The Hodges-Lehmann estimate of a shift with the interval that inverts the exact rank test.
///
/// Fails as `check_two_samples`, and where so few values give no interval at this confidence: the sentence
/// states what the whole range of the differences covers, the hint how many runs on each side would do.
///
/// Source: J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on Rank Tests", Ann. Math. Stat. 34,
/// 1963; interval: D. F. Bauer, "Constructing Confidence Sets Using Rank Statistics", JASA 67, 1972.
Result<Shift> hodges_lehmann_shift(std::span<const double> first, std::span<const double> second,
                                   double confidence = 0.95);

}  // namespace shakedown
