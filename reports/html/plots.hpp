#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// A range of a metric, in its unit.
struct ValueRange {
  double low = 0;
  double high = 0;
};

/// Results of equal runs on one axis, with their median or score, the limit, a published value and the
/// predicted range. The axis holds them all.
struct DotStrip {
  std::string metric;  ///< its unit is written
  std::vector<double> points;
  std::optional<double> limit;
  std::optional<double> published;
  std::optional<ValueRange> predicted;
  /// That the points have together; nothing: their median is marked.
  std::optional<double> score{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it
};
std::string dot_strip(const DotStrip& strip);

/// A bar from zero with its value.
struct Bar {
  std::string name;
  double value = 0;
  std::string shown;
  bool marked = false;  ///< drawn as an outline: it does not count
};
/// Bars of one unit below each other.
std::string bar_chart(const std::vector<Bar>& bars, std::string_view label);

/// A value on a number of nodes.
struct ScalePoint {
  int nodes = 1;
  double value = 0;
};
/// Values over the number of nodes, both logarithmic, beside the line of proportion from the fewest nodes.
std::string scaling_plot(const std::vector<ScalePoint>& points, std::string_view metric);

/// How many values lie in each of some equal ranges, with the median and the limit.
std::string histogram(const DotStrip& values);

/// The equal ranges that `histogram` counts in, and how many values lie in each.
struct HistogramBins {
  double low = 0;
  double width = 0;  ///< of a range; 0: all values are the same
  std::vector<int> counts;
};
HistogramBins histogram_bins(const std::vector<double>& values);

}  // namespace shakedown
