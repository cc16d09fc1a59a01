#pragma once
#include <cstddef>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// A comparison as it is planned: so many runs before and after, at so much noise.
struct ComparisonDesign {
  std::size_t before = 3;
  std::size_t after = 3;
  double noise = 0.01;         ///< coefficient of variation of one run (0.01 is 1 %)
  double significance = 0.05;  ///< alarms where nothing changed
  double power = 0.8;          ///< changes of that size that are found
  bool two_sided = false;      ///< whether both a gain and a loss are looked for
};

/// The smallest change, in the unit of `noise` (0.02 is 2 %), that the comparison finds with its power: what
/// a "no change" of it may hide. By the two-sample t-test at equal spread, solved with the noncentral t.
///
/// Fails with fewer than two runs on a side (no spread, no test), a negative noise, or shares outside (0, 1).
///
/// Source: J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988, chapter 2 (64 runs a
/// side find half a standard deviation with power 0.8 at 0.05 two-sided).
Result<double> detectable_change(const ComparisonDesign& design);

/// The fewest runs on each side that find `change` with the design's power; its own counts are not looked at.
/// Fails as above, unless 0 < change, and beyond 10,000 runs.
Result<std::size_t> runs_needed(double change, ComparisonDesign design);

}  // namespace shakedown
