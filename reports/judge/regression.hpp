#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "reports/statistics/change_points.hpp"
#include "reports/statistics/watch.hpp"

namespace shakedown {

/// What a series of a scheduled check is of.
struct SeriesName {
  std::string suite;
  std::string implementation;
  std::string metric;
  std::string nodes;       ///< one node's name, or "4 nodes"
  std::string node_kind;   ///< empty: not known
  std::string parameters;  ///< "N=8000 NB=192 P=1 Q=2"
  friend bool operator==(const SeriesName&, const SeriesName&) = default;
};

/// "hpl/reference rmax_gflops on cn3".
std::string series_text(const SeriesName& name);

/// The runs of one series in one check, in order, in the metric's unit. The first is the check's value; the
/// others show what the runs of a check have in common, and confirm.
struct SeriesCheck {
  std::string campaign;
  std::vector<double> runs;
};

/// A series as a check finds it.
struct CheckSeries {
  SeriesName name;
  Better better = Better::higher;
  std::vector<SeriesCheck> checks;  ///< oldest first; the last is judged
  /// Of each other node that runs the same, on nodes of the same kind, the first run of its newest check:
  /// what a node without a history of its own is judged beside.
  std::vector<double> like;
  std::size_t control_from = 0;  ///< the first check since its nodes changed
  std::string reopened;          ///< what changed; empty: nothing, it begins with its first check
  std::optional<double> floor;   ///< in the metric's unit
  std::string floor_source;      ///< "90 % of 112 GFLOP/s, the median of <campaign>"; why there is none
};

/// What a check could not measure.
struct MissingSeries {
  std::string what;     ///< "hpl-reference-1n"
  std::string because;  ///< a sentence
  friend bool operator==(const MissingSeries&, const MissingSeries&) = default;
};

/// By what a check is judged.
struct CheckLimits {
  double effect = 0.02;
  double false_alarms_per_year = 0.2;
  double checks_per_year = 52;
  std::size_t repeats_at_most = 12;
  WatchParts parts = {};
  bool has_floor = false;  ///< a series without one is then undecided, never fine
};

/// A series, judged.
struct JudgedSeries {
  CheckSeries series;
  Watched watched;
  double value = 0;              ///< of the check: its first run
  std::optional<double> shared;  ///< of the variance, by the runs of a check; not known: they confirm nothing
  std::vector<ChangePoint> changes;  ///< of the check's values, all there are, where there are 8 or more
  bool like_known = true;            ///< `series.like`; not in a verdict of a version that did not write it
  [[nodiscard]] bool alarm() const { return watched.state == WatchState::alarm; }
  /// Fewer than 8 values in the control region: no alarm is possible yet.
  [[nodiscard]] bool learning() const;
  /// A floor is demanded, and nobody knows it.
  [[nodiscard]] bool floor_unknown() const { return !series.floor && !series.floor_source.empty(); }
  /// "alarm", "below floor", "alarm, below floor", "floor not known", "learning (3 of 8)", "in control", ...
  [[nodiscard]] std::string state() const;
};

/// "changed at check 9 (<campaign>) by 10.0 %, from 100 GFLOP/s to 110 GFLOP/s, Student's t ...". The cut was
/// chosen among many, so its p is smaller than chance alone would make it.
std::string change_text(const JudgedSeries& judged, const ChangePoint& point);

/// What the floor was judged on: "the median of 3 runs of this check".
std::string floor_value_name(const Watched& watched);

/// A check, judged.
struct CheckVerdict {
  std::vector<JudgedSeries> series;
  std::vector<MissingSeries> missing;
  std::vector<std::string> notes;  ///< "coverage: ...", "changed: ...", what a reader must know beside it
  std::string sentence;            ///< "regression check: alarm: ..."
  int exit_code = 3;               ///< 0 no alarm and above all floors, 1 either, 3 undecided
};

/// Judges the newest check of each series. What the runs of a check have in common is estimated from the
/// checks of the control regions (`check_share`), a series' own drawn to the mean of all but never below it
/// (`shrunk`): what a day, a node or another process does to all runs of a check must not be taken for the
/// machine. Where the mean, or a series' own share, is clearly above 0 (by its standard error, at the level
/// of a suspicion), a loss takes several checks. Until 8 checks have two runs or more, each series counting
/// its own, repeats confirm nothing and the checks' own values decide.
///
/// A series that has fewer than 8 checks is also judged beside the nodes like its own (`watch_among`): in a
/// rotation a node may take months to 8 checks, and the nodes like it have had theirs by then.
///
/// Fails as `watch`, and where a series has no check or a check no run of it.
Result<CheckVerdict> judged_check(std::vector<CheckSeries> series, std::vector<MissingSeries> missing,
                                  const CheckLimits& limits);

/// Puts the verdict's sentence and exit code by its series and by what is missing, as `judged_check` does:
/// for what was found missing afterwards. `has_floor` as in `CheckLimits`.
void conclude(CheckVerdict& verdict, bool has_floor);

/// The verdict as `shakedown.regression/1`, and back.
std::string check_verdict_json(const CheckVerdict& verdict);
Result<CheckVerdict> check_verdict_from_json(std::string_view text, std::string_view name);

}  // namespace shakedown
