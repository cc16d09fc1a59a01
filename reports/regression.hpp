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

/// What a series of a scheduled pass is of.
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

/// The runs of one series in one pass, in order, in the metric's unit. The first is the pass's value; the
/// others tell what the runs of a pass have in common, and confirm.
struct SeriesPass {
  std::string campaign;
  std::vector<double> runs;
};

/// A series as a pass finds it.
struct PassSeries {
  SeriesName name;
  Better better = Better::higher;
  std::vector<SeriesPass> passes;  ///< oldest first; the last is judged
  std::size_t control_from = 0;    ///< the first pass since its nodes changed
  std::string reopened;            ///< what changed; empty: nothing, it begins with its first pass
  std::optional<double> floor;     ///< in the metric's unit
  std::string floor_source;        ///< "90 % of 112 GFLOP/s, the median of <campaign>"; why there is none
};

/// What a pass could not measure.
struct MissingSeries {
  std::string what;     ///< "hpl-reference-1n"
  std::string because;  ///< a sentence
  friend bool operator==(const MissingSeries&, const MissingSeries&) = default;
};

/// By what a pass is judged.
struct PassLimits {
  double effect = 0.02;
  double false_alarms_per_year = 0.2;
  double passes_per_year = 52;
  std::size_t repeats_at_most = 12;
  bool has_floor = false;  ///< a series without one is then undecided, never fine
};

/// A series, judged.
struct JudgedSeries {
  PassSeries series;
  Watched watched;
  double value = 0;              ///< of the pass: its first run
  std::optional<double> shared;  ///< of the variance, by the runs of a pass; not known: they confirm nothing
  std::vector<ChangePoint> changes;  ///< of the pass's values, all there are, where there are 8 or more
  [[nodiscard]] bool alarm() const { return watched.state == WatchState::alarm; }
  /// Fewer than 8 values in the control region: no alarm is possible yet.
  [[nodiscard]] bool learning() const;
  /// A floor is demanded, and nobody knows it.
  [[nodiscard]] bool floor_unknown() const { return !series.floor && !series.floor_source.empty(); }
  /// "alarm", "below floor", "alarm, below floor", "floor not known", "learning (3 of 8)", "in control", ...
  [[nodiscard]] std::string state() const;
};

/// "changed at pass 9 (<campaign>) by 10.0 %, from 100 GFLOP/s to 110 GFLOP/s, Student's t ...". The cut was
/// chosen among many, so its p is smaller than chance alone would make it.
std::string change_text(const JudgedSeries& judged, const ChangePoint& point);

/// What the floor was judged on: "the median of 3 runs of this pass".
std::string floor_value_name(const Watched& watched);

/// A pass, judged.
struct PassVerdict {
  std::vector<JudgedSeries> series;
  std::vector<MissingSeries> missing;
  std::vector<std::string> notes;  ///< "coverage: ...", "changed: ...", what a reader must know beside it
  std::string sentence;            ///< "regression pass: alarm: ..."
  int exit_code = 3;               ///< 0 no alarm and above all floors, 1 either, 3 undecided
};

/// Judges the newest pass of each series. What the runs of a pass have in common is estimated from the passes
/// of the control regions (`pass_share`), a series' own drawn to the mean of all but never below it
/// (`shrunk`): what a day, a node or a neighbour does to all runs of a pass must not be taken for the
/// machine. Where the mean, or a series' own share, is clearly above 0 (by its standard error, at the level
/// of a suspicion), a loss takes several passes. Until 8 passes of two runs or more tell, each series
/// counting its own, repeats confirm nothing and the passes' own values decide.
///
/// Fails as `watch`, and where a series has no pass or a pass no run of it.
Result<PassVerdict> judged_pass(std::vector<PassSeries> series, std::vector<MissingSeries> missing,
                                const PassLimits& limits);

/// Puts the verdict's sentence and exit code by its series and by what is missing, as `judged_pass` does: for
/// what was found missing afterwards. `has_floor` as in `PassLimits`.
void conclude(PassVerdict& verdict, bool has_floor);

/// The verdict as `shakedown.regression/1`, and back.
std::string pass_verdict_json(const PassVerdict& verdict);
Result<PassVerdict> pass_verdict_from_json(std::string_view text, std::string_view name);

}  // namespace shakedown
