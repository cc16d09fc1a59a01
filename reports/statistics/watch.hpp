#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// The one-sided level at which a value is suspect.
inline constexpr double watch_suspicion = 0.01;

/// A loss, and a gain, of `magnitude` as a difference of logarithms: 2 % less of a rate, 2 % more of a time.
double watch_least_loss(Better better, double magnitude);
double watch_least_gain(Better better, double magnitude);

/// One metric of one case, as it was measured from check to check.
struct WatchedSeries {
  // NOLINTBEGIN(readability-redundant-member-init): g++ 12 wants one where an initialiser omits it
  std::span<const double> values{};   ///< one of each check, in time order; the last is judged. All above 0
  std::span<const double> repeats{};  ///< further runs of the last check, made because `watch` wanted them
  /// Those of the last checks before it, oldest first, of which 3 count; of a check without any its value.
  std::span<const std::vector<double>> earlier{};
  // NOLINTEND(readability-redundant-member-init)
  Better better = Better::higher;
  std::size_t control_from = 0;  ///< the first value after the last declared change of hardware or software
  double shared = 0;  ///< the share of the variance that the runs of one check have in common: `check_share`
  bool by_checks = false;  ///< that is sure: three checks prove a loss, or one a great one
};

/// Parts of the rule that a simulation may leave out: docs/benchmarks.md shows what each is worth.
struct WatchParts {
  bool trend = true;    ///< a line that falls through all values is a suspicion, too
  bool checks = true;   ///< where the runs of a check are alike (`by_checks`), several checks prove a loss
  bool at_once = true;  ///< and there one check proves a great one
};

/// The two limits, which have nothing to do with each other: the alarm and the contract's floor.
struct WatchLimits {
  double magnitude = 0.02;             ///< a loss below 2 % is no alarm, however sure
  double false_alarms_per_year = 0.2;  ///< over all series together
  std::size_t series_watched = 1;
  double checks_per_year = 52;
  std::size_t repeats_at_most = 12;  ///< to confirm, within the check; 0: the checks' own values decide
  std::optional<double> floor =
      std::nullopt;  ///< of the metric, in its unit (lowest; or highest, where lower is better)
  WatchParts parts = {};
  std::size_t floor_runs = 3;  ///< so many runs of the last check decide if it is beyond `floor`

  /// The share of judgements that may be false alarms, by Bonferroni over all of a year.
  [[nodiscard]] double significance() const;
};

enum class WatchState {
  too_few,        ///< no three values before this one since the control region began
  in_control,     ///< no suspicion
  suspect,        ///< `repeats_wanted` more runs now, in this check, then ask again
  not_confirmed,  ///< was suspect; the repeats don't bear it out
  warning,        ///< borne out, but the control region began with fewer than 8 values: no alarm by itself
  alarm,
};
std::string_view to_string(WatchState state);

/// An interval of losses, at 95 % confidence.
struct LossInterval {
  double low = 0;
  double high = 0;
};

/// The comparison with the control region that decided, or is to decide.
struct LossEvidence {
  std::string of;   ///< "the last 4 runs": those of 1, 2 or 4 that lie furthest below; "12 repeats"
  double loss = 0;  ///< of their mean
  std::optional<LossInterval> interval = std::nullopt;  ///< of repeats, which nobody chose for being low
  double p = 1;
};

/// A gain since which the control region is reset.
struct UndeclaredGain {
  std::size_t since = 0;  ///< the first value of it
  double share = 0;       ///< 0.05: 5 % better
  double p = 1;
};

/// What is known of the newest value of a series.
struct Watched {
  WatchState state = WatchState::too_few;
  bool below_floor = false;        ///< the median of the last check's runs is beyond `floor`
  bool floor_open = false;         ///< it is, but so few runs don't decide: `repeats_wanted`
  double floor_value = 0;          ///< that median, in the metric's unit; the floor is judged on it
  std::size_t floor_value_of = 0;  ///< how many runs it is the median of
  std::size_t repeats_wanted = 0;
  double loss = 0;  ///< of the newest value against the control region, 0.03: 3 % worse; below 0: better
  LossInterval interval;  ///< of that loss, the newest being one value: holds what the machine has lost
  LossEvidence evidence;
  std::size_t control = 0;           ///< how many values the control region has
  std::size_t begun_with = 0;        ///< how many it began with, up to 8: those and an outlier among them
  double expected = 0;               ///< its centre (geometric mean), in the metric's unit
  std::optional<std::size_t> since;  ///< the first value of `values` of what is suspect
  std::optional<UndeclaredGain> gain;
  std::string text;  ///< the verdict as a sentence with its values and method
};

/// Judges the newest value of a series in two steps.
///
/// Suspicion costs little and may be wrong: the mean of the last 1, 2 or 4 values lies below the control
/// region by t > t(0.01) and by `magnitude`, or a straight line through the whole region falls by as much.
/// The control region is the first 8 values, but for one that clearly lies below the others, and all later
/// ones older than the last 4, but for those that clearly lay below, so that a loss nobody declared stays one
/// and does not become the new normal. A trend is set against the first 8 values.
///
/// A clear gain that lasts resets the region (`lasting_gain`), declared or not: else a loss of what was
/// gained would go unseen.
///
/// Confirmation is rare and must not be wrong: fresh runs of the same check (2, then 4, 8, 12: as soon as
/// they are clear) against the control region, by Student's two-sample t at `significance()` over all looks,
/// a tenth of it at each but the last; by the exact Mann-Whitney test at as much (at the last look at all of
/// it), since noise is seldom normal (where the last look's runs are too few for that: each below all
/// others); and by their own spread at 0.05, so that one slow run among them is no proof. Whatever raised the
/// suspicion has no part in it, so this bounds the false alarms, as long as `shared` is what the runs of a
/// check do share.
///
/// If they clearly share something (`by_checks`), the repeats of one check show its day, and no test within a
/// check distinguishes a bad day from a loss. There the means of the repeats of the last 3 or 4 checks prove
/// it, by the same t at half of that level each, and by their own spread at 0.01; or those of one check at
/// the square of the level and by their own spread at 0.05, so that a great loss need not wait. Logarithms
/// are compared, so losses are ratios.
///
/// The floor is another matter: it is judged on the median of all runs of the last check. Below it by fewer
/// than `floor_runs` of them is a suspicion, too, since one slow run breaks no contract.
///
/// Where the control region began with fewer than 8 values the limits are those of a control chart with
/// Student's t, and what is borne out is a `warning`.
///
/// Fails on values that are not finite and above 0, and on limits that mean nothing.
///
/// Source: Student's t for means of few values and the interval of one further value, G. J. Hahn and W. Q.
/// Meeker, "Statistical Intervals", 4.7 and 4.8;
/// windows before a t-test, M. Fleming et al., "Hunter: Using Change Point Detection to Hunt for Performance
/// Regressions", ICPE 2023; looks, S. J. Pocock, "Group Sequential Methods in the Design and Analysis of
/// Clinical Trials", 1977, with Bonferroni's bound.
Result<Watched> watch(const WatchedSeries& series, const WatchLimits& limits = {});

/// A level above the one before that a series went over to and stayed at.
struct LastingGain {
  std::size_t from = 0;  ///< the first value of the new level
  double gain = 0;       ///< difference of logarithms
  double p = 1;          ///< Student's two-sample t, one-sided
};

/// The last lasting gain of a series of logarithms, turned so that more is better; nothing: there is none.
/// It is one of the change points that Hunter finds with the settings for weekly runs. From it on there are 8
/// values; the median of the first 8 (or of all up to the next change point, where they are more) lies
/// `least` above the highest level since the gain before; and they are above it as surely as an alarm is: by
/// Student's t at `significance`, and by the exact Mann-Whitney test at it, or each above all others where
/// the values are too few for that. A loss is none, and neither is a part of it that comes back. In time
/// proportional to the length.
///
/// Source: as `hunter_change_points`, `mann_whitney_test`.
std::optional<LastingGain> lasting_gain(std::span<const double> turned, double least, double significance);

}  // namespace shakedown
