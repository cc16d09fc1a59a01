#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// Results of equal runs on one axis, with their median and the limit. The axis holds them all.
struct DotStrip {
  std::string metric;  ///< its unit is written
  std::vector<double> points;
  std::optional<double> limit;
};
std::string dot_strip(const DotStrip& strip);

/// A bar from zero with its value.
struct Bar {
  std::string name;
  double value = 0;
  std::string shown;
  bool marked = false;  ///< drawn as an outline: it compares with nothing
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

}  // namespace shakedown
