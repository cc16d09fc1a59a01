#pragma once
#include <optional>
#include <span>
#include <string>

#include "reports/judge/criteria_check.hpp"

namespace shakedown {

/// The chance to pass all mandatory criteria together. Each machine's true mean is taken to lie equally far
/// from each limit, in standard deviations of single runs, and the criteria to be independent of each other:
/// the product of their chances. Criteria that are judged on the same runs pass and fail together more often,
/// so that the true chance is no smaller, unless they oppose each other: what is a share of a screen's rate
/// falls as the rate that another criterion asks for rises.
///
/// Source of the inequality: J. D. Esary, F. Proschan, D. W. Walkup, "Association of Random Variables, with
/// Applications", Annals of Mathematical Statistics 38 (1967): increasing functions of independent runs are
/// associated.
struct JointChance {
  int criteria = 0;  ///< mandatory ones that the spread of runs decides
  int by_rules = 0;  ///< mandatory ones that it doesn't: taken as passed
  double good = 0;   ///< all true means one standard deviation on the good side
  double even = 0;   ///< all at their limits
  double bad = 0;    ///< all one on the bad side
  /// Two of them, the first a share of what the second asks for; empty: none oppose each other.
  std::string share;
  std::string denominator;
  double margin = 0;  ///< true mean / limit - 1, on the good side, with which all pass together in 95 %
};

/// Nothing where fewer than two mandatory criteria are decided by the spread of runs.
std::optional<JointChance> joint_chance(std::span<const CriterionCheck> criteria, double cov);

}  // namespace shakedown
