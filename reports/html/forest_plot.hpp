#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// A shift with its interval, as shares: 0.03 is 3 % more.
struct ForestRow {
  enum class Look {
    plain,
    better,
    worse,
    information,  ///< scaled by a model: drawn hollow
  };

  std::string group;  ///< written once above the rows that share it: "HPL, hpl-reference-1n"
  std::string name;   ///< "Rmax"
  double shift = 0;
  std::optional<double> low;  ///< none with `high`: one value, no interval
  std::optional<double> high;
  Look look = Look::plain;
};

/// Shifts below each other on one axis, with the line of no change.
struct ForestPlot {
  std::vector<ForestRow> rows;
  std::optional<double> gate;  ///< a band of this width on either side of none; none: there is no band
  std::string label;           ///< for readers who don't see it
};

/// The plot as SVG. Equal factors are equally far apart (the axis is logarithmic: half as much lies as far
/// from none as twice as much), and labelled in per cent; the axis holds all points, intervals and the gate.
/// What is 99.9 % less or below is drawn at the axis' end.
std::string forest_plot(const ForestPlot& plot);

}  // namespace shakedown
