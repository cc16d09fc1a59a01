#pragma once
#include <span>

#include "reports/statistics/before_after.hpp"

namespace shakedown {

/// Whether many nodes changed, each set beside itself: `shares` are the changes of each (0.03 is 3 % more),
/// so that what tells nodes apart for good is no noise. The shift is the median share with its interval by
/// order statistics, p is that of the sign test; verdicts as in `before_after`, and nothing is assumed of the
/// distribution. Below 6 nodes there is no 95 % interval: the range stands for it, and the answer is
/// undecided. It speaks of nodes in the middle: one bad node among many does not show.
///
/// Fails with fewer than two nodes, on what is not finite, and on limits that are none.
///
/// Source: J. Arbuthnot, "An Argument for Divine Providence", Phil. Trans. 27, 1710, and W. J. Conover,
/// "Practical Nonparametric Statistics", 3.4 (the sign test); interval: order_interval.hpp; how to repeat
/// where it varies: T. Kalibera and R. Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013.
Result<BeforeAfter> paired_change(std::span<const double> shares, Better better = Better::higher,
                                  const BeforeAfterLimits& limits = {});

}  // namespace shakedown
