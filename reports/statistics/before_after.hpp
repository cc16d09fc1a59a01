#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "reports/statistics/watch.hpp"

namespace shakedown {

enum class ChangeFinding {
  undecided,  ///< so many runs can't decide: see `low` and `high`
  same,       ///< the whole interval lies closer to none than the magnitude
  worse,
  better,
};
std::string_view to_string(ChangeFinding change);

struct BeforeAfterLimits {
  double magnitude = 0.02;     ///< a change below 2 % is none, however sure
  double significance = 0.05;  ///< two-sided
};

/// The runs of one date.
struct MeasuredDay {
  long date = 0;               ///< in days, from any origin
  std::vector<double> values;  ///< above 0
};

/// By how much days differ on which nothing is known to have changed.
struct DaySpread {
  double deviation = 0;         ///< of the days' levels (the median of the runs of each), as a share of them
  std::size_t days = 0;         ///< that it is estimated from
  double runs = 1;              ///< of a day, their harmonic mean
  long apart = 1;               ///< days that lie between two that were set beside each other, or more
  std::size_t independent = 0;  ///< of the days, so many that any two lie so far apart
};

inline constexpr std::size_t fewest_days = 3;  ///< independent ones, that show how much days differ
inline constexpr long week_days = 7;           ///< from that distance on days count as independent

/// By how much days differ that lie as far apart as two campaigns, a week at most: half the mean squared
/// difference of the levels of all pairs at least `apart` days apart (a variogram), since days that follow
/// each other resemble each other. Of days that all lie so far apart it is their variance. Nothing: fewer
/// than `fewest_days` lie so far apart. Dates ascend, each once; `apart` is at least 1.
///
/// Source: G. Matheron, "Principles of geostatistics", Economic Geology 58, 1963; degrees of freedom (the
/// independent days less one): simulated, docs/benchmarks.md.
std::optional<DaySpread> day_spread(std::span<const MeasuredDay> days, long apart);

/// Dates of which any two lie at least `apart` days from each other, from the newest back; `dates` ascend.
std::vector<long> independent_dates(std::span<const long> dates, long apart);

/// Two sets of runs beside each other, as shares of the median before: 0.03 is 3 % more.
struct BeforeAfter {
  ChangeFinding change = ChangeFinding::undecided;
  double shift = 0;  ///< Hodges-Lehmann
  double low = 0;
  double high = 0;      ///< its interval; the range of all differences where the runs are too few for one
  double coverage = 0;  ///< of that interval
  double p = 1;         ///< two-sided
  double p_loss = 1;    ///< that the second is worse, one-sided: all that very few runs can show
  bool can_be_sure = false;       ///< the interval reaches the confidence that the limits ask for
  std::optional<DaySpread> days;  ///< that interval and p hold; none: they are of the two days of the runs
  std::string text;               ///< the verdict as a sentence with its values and method
};

/// The finding from shift, interval and p; `change` is not looked at.
ChangeFinding change_of(const BeforeAfter& found, Better better, const BeforeAfterLimits& limits);

/// Fails on a significance outside of (0, 1) and a magnitude below 0.
Result<void> check_limits(const BeforeAfterLimits& limits);

/// Whether something changed between two sets of runs, each of one day. Worse or better: the shift of Hodges
/// and Lehmann is at least the magnitude, and significant, since the one without the other is noise or of no
/// account. Same: the whole interval lies within the magnitude on either side of none, so that a change that
/// counts is refuted; not having found one refutes nothing. Else undecided.
///
/// The runs of a day share its level, so that by themselves they show only whether the two days differ. With
/// `days` interval and p are those of Student's t with the spread of earlier days: of the difference of two
/// levels, and of what the runs add if there are fewer of them than on those days. Without them they are
/// those of the exact Mann-Whitney test, and hold of these days. Where so few runs can't be significant at
/// all (3 against 3: p is 0.1 at least), only a loss is tested, one-sided: 3 below 3 are worse at 0.05.
///
/// Fails as `check_two_samples`: a single published value gets no p-value. Fails where the median before is
/// not above 0, and on limits that are no significance or magnitude.
///
/// Source: T. Hoefler and R. Belli, "Scientific Benchmarking of Parallel Computing Systems", SC15; the tests
/// as in mann_whitney.hpp; "same" by an interval: D. J. Schuirmann, "A Comparison of the Two One-Sided Tests
/// Procedure and the Power Approach for Assessing the Equivalence of Average Bioavailability", 1987; days as
/// the upper level of an experiment: T. Kalibera and R. Jones, "Rigorous Benchmarking in Reasonable Time",
/// ISMM 2013.
Result<BeforeAfter> before_after(std::span<const double> before, std::span<const double> after,
                                 Better better = Better::higher, const BeforeAfterLimits& limits = {},
                                 const std::optional<DaySpread>& days = std::nullopt);

/// Whether many nodes changed, each compared with itself: `shares` are the changes of each (0.03 is 3 %
/// more), so that lasting differences between nodes are no noise. The shift is the median share with its
/// interval by order statistics, p is that of the sign test; verdicts as in `before_after`, and nothing is
/// assumed of the distribution. Below 6 nodes there is no 95 % interval: the range replaces it, and the
/// answer is undecided. It is about nodes in the middle: one bad node among many does not show. What a day
/// does to all nodes is added with `days`: the levels of earlier ones, each the median of such nodes.
///
/// Fails with fewer than two nodes, on what is not finite, and on limits that are none.
///
/// Source: J. Arbuthnot, "An Argument for Divine Providence", Phil. Trans. 27, 1710, and W. J. Conover,
/// "Practical Nonparametric Statistics", 3.4 (the sign test); interval: order_interval.hpp; how to repeat
/// where it varies: T. Kalibera and R. Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013.
Result<BeforeAfter> paired_change(std::span<const double> shares, Better better = Better::higher,
                                  const BeforeAfterLimits& limits = {},
                                  const std::optional<DaySpread>& days = std::nullopt);

}  // namespace shakedown
