#pragma once
#include <span>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

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
