#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"
#include "reports/statistics/watch.hpp"

namespace shakedown {

enum class ChangeFinding {
  undecided,  ///< so many runs can't decide: see `low`, `high` and `detectable`
  same,       ///< the whole interval lies closer to none than the magnitude
  worse,
  better,
};
std::string_view to_string(ChangeFinding change);

struct BeforeAfterLimits {
  double magnitude = 0.02;     ///< a change below 2 % is none, however sure
  double significance = 0.05;  ///< two-sided
  double power = 0.8;          ///< of `BeforeAfter::detectable`
};

/// Two sets of runs beside each other, as shares of the median before: 0.03 is 3 % more.
struct BeforeAfter {
  ChangeFinding change = ChangeFinding::undecided;
  double shift = 0;  ///< Hodges-Lehmann
  double low = 0;
  double high = 0;      ///< its interval; the range of all differences where the runs are too few for one
  double coverage = 0;  ///< of that interval
  double p = 1;         ///< Mann-Whitney, two-sided
  /// The change that as many runs at this noise find with the limits' power; none: no design for it.
  std::optional<double> detectable;
  bool can_be_sure = false;  ///< the interval reaches the confidence that the limits ask for
  std::string text;          ///< the verdict as a sentence with its values and method
};

/// The finding from shift, interval and p; `change` is not looked at.
ChangeFinding change_of(const BeforeAfter& found, Better better, const BeforeAfterLimits& limits);

/// Fails on a significance or power outside of (0, 1) and a magnitude below 0.
Result<void> check_limits(const BeforeAfterLimits& limits);

/// Whether something changed between two sets of runs. Worse or better: the shift of Hodges and Lehmann is at
/// least the magnitude and the exact Mann-Whitney test significant, since the one without the other is noise
/// or of no account. Same: the whole interval lies within the magnitude on either side of none, so that a
/// change that counts is refuted; not having found one refutes nothing. Else undecided, also where so few
/// runs can never be significant (3 against 3: p is 0.1 at least).
///
/// Fails as `check_two_samples`: a single published value gets no p-value. Fails where the median before is
/// not above 0, and on limits that are no significance, power or magnitude.
///
/// Source: T. Hoefler and R. Belli, "Scientific Benchmarking of Parallel Computing Systems", SC15; the tests
/// as in mann_whitney.hpp; "same" by an interval: D. J. Schuirmann, "A Comparison of the Two One-Sided Tests
/// Procedure and the Power Approach for Assessing the Equivalence of Average Bioavailability", 1987.
Result<BeforeAfter> before_after(std::span<const double> before, std::span<const double> after,
                                 Better better = Better::higher, const BeforeAfterLimits& limits = {});

/// Whether many nodes changed, each compared with itself: `shares` are the changes of each (0.03 is 3 %
/// more), so that lasting differences between nodes are no noise. The shift is the median share with its
/// interval by order statistics, p is that of the sign test; verdicts as in `before_after`, and nothing is
/// assumed of the distribution. Below 6 nodes there is no 95 % interval: the range replaces it, and the
/// answer is undecided. It is about nodes in the middle: one bad node among many does not show.
///
/// Fails with fewer than two nodes, on what is not finite, and on limits that are none.
///
/// Source: J. Arbuthnot, "An Argument for Divine Providence", Phil. Trans. 27, 1710, and W. J. Conover,
/// "Practical Nonparametric Statistics", 3.4 (the sign test); interval: order_interval.hpp; how to repeat
/// where it varies: T. Kalibera and R. Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013.
Result<BeforeAfter> paired_change(std::span<const double> shares, Better better = Better::higher,
                                  const BeforeAfterLimits& limits = {});

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
