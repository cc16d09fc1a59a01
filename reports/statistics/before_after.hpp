#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"
#include "reports/statistics/watch.hpp"

namespace shakedown {

enum class Change {
  undecided,  ///< as many runs can't tell: see `detectable`
  same,       ///< no change that both is sure and has the magnitude
  worse,
  better,
};
std::string_view to_string(Change change);

struct BeforeAfterLimits {
  double magnitude = 0.02;     ///< a change below 2 % is none, however sure
  double significance = 0.05;  ///< two-sided
};

/// Two sets of runs beside each other, as shares of the median before: 0.03 is 3 % more.
struct BeforeAfter {
  Change change = Change::undecided;
  double shift = 0;  ///< Hodges-Lehmann
  double low = 0;
  double high = 0;        ///< its interval; the range of all differences where the runs are too few for one
  double coverage = 0;    ///< of that interval
  double p = 1;           ///< Mann-Whitney, two-sided
  double detectable = 0;  ///< the change that as many runs at this noise find with power 0.8
  std::string text;       ///< the verdict as a sentence with its figures and method
};

/// Whether something changed between two sets of runs: the shift of Hodges and Lehmann must be at least the
/// magnitude and the exact Mann-Whitney test significant, since the one without the other is noise or of no
/// account. Where so few runs can never be significant (3 against 3: p is 0.1 at least), or a change of the
/// magnitude would likely be missed and nothing is significant, the answer is undecided, never "same".
///
/// Fails as `check_two_samples`: a single published value gets no p-value. Fails where the median before is
/// not above 0.
///
/// Source: T. Hoefler and R. Belli, "Scientific Benchmarking of Parallel Computing Systems", SC15; the tests
/// as in mann_whitney.hpp.
Result<BeforeAfter> before_after(std::span<const double> before, std::span<const double> after,
                                 Better better = Better::higher, const BeforeAfterLimits& limits = {});

}  // namespace shakedown
