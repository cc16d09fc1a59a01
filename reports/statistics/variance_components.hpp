#pragma once
#include <span>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What the runs of one check have in common.
struct CheckShare {
  double share = 0;  ///< of the variance; by chance below 0 where nothing is shared
  double error = 0;  ///< its standard error where nothing is shared
};

/// The share of the variance that the runs of one check have in common (the day, the nodes, what ran beside):
/// the intraclass correlation of a one-way analysis of variance. At 0 a repeat adds as much as another check,
/// near 1 nothing new; exactly 1 where the runs of each check agree to the last digit. Each check that has
/// two runs or more counts. Not cut off at 0, so that the mean of many shows whether anything is shared.
///
/// Fails on values that are not finite, with fewer than two such checks, and where no values differ.
///
/// Source: P. E. Shrout and J. L. Fleiss, "Intraclass Correlations: Uses in Assessing Rater Reliability",
/// 1979, ICC(1,1); checks of unequal size: S. R. Searle, "Linear Models", 1971, chapter 10; error: R. A.
/// Fisher, "Statistical Methods for Research Workers", 1925, chapter VII, after A. Donner, "A Review of
/// Inference Procedures for the Intraclass Correlation Coefficient", Int. Stat. Rev. 54, 1986.
Result<CheckShare> check_share(std::span<const std::vector<double>> checks);

/// An estimate with its standard error.
struct Estimate {
  double value = 0;
  double error = 0;
};

/// Estimates of like things, each drawn towards the mean of all the more, the larger its own error is: nearly
/// to the mean where they differ by no more than their errors let expect; hardly at all where they differ by
/// far more. Fewer than four stay as they are.
///
/// Fails on values that are not finite and on errors below 0.
///
/// Source: B. Efron and C. Morris, "Stein's Paradox in Statistics", Scientific American 236(5), 1977; errors
/// of unlike size: C. N. Morris, "Parametric Empirical Bayes Inference", J. Am. Stat. Assoc. 78, 1983, with
/// the moment estimator of L. V. Hedges, "A Random Effects Model for Effect Sizes", Psych. Bull. 93, 1983.
Result<std::vector<double>> shrunk(std::span<const Estimate> estimates);

}  // namespace shakedown
