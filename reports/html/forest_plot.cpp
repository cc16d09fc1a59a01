#include "reports/html/forest_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "reports/html/template.hpp"

namespace shakedown {
namespace {

constexpr double forest_width = 760;
constexpr double forest_left = 250;   ///< of the axis; names are left of it
constexpr double forest_right = 640;  ///< of the axis; values are right of it
constexpr double forest_row = 21;
constexpr double forest_least = -0.999;  ///< a shift below it has no place on a logarithmic axis
constexpr double forest_tick_gap = 46;
constexpr std::size_t forest_longest_name = 38;

/// Shifts that may be labelled, from nearest to none outwards on either side.
constexpr std::array<double, 19> forest_ticks_up = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1,
                                                    2,     4,     9,     19,   49,   99,   199, 499, 999};
constexpr std::array<double, 16> forest_ticks_down = {-0.001, -0.002, -0.005, -0.01, -0.02, -0.05,
                                                      -0.1,   -0.2,   -0.35,  -0.5,  -0.7,  -0.8,
                                                      -0.9,   -0.95,  -0.98,  -0.99};

double forest_place(double shift) {
  return std::log1p(std::max(shift, forest_least));
}

/// The logarithmic axis.
struct ForestAxis {
  double low = 0;
  double high = 0;

  [[nodiscard]] double x(double shift) const {
    const double share = high > low ? (forest_place(shift) - low) / (high - low) : 0.5;
    return forest_left + share * (forest_right - forest_left);
  }
};

ForestAxis forest_axis(const ForestPlot& plot) {
  // The gate, or 2 %, on either side: rows without a change are drawn at none, not across the plot.
  const double least = plot.gate.value_or(0.02) * 1.2;
  ForestAxis axis{forest_place(-least), forest_place(least)};
  const auto hold = [&](double shift) {
    axis.low = std::min(axis.low, forest_place(shift));
    axis.high = std::max(axis.high, forest_place(shift));
  };
  for (const ForestRow& row : plot.rows) {
    hold(row.shift);
    if (row.low) hold(*row.low);
    if (row.high) hold(*row.high);
  }
  const double room = (axis.high - axis.low) * 0.03;
  return {axis.low - room, axis.high + room};
}

std::string tick_text(double shift) {
  if (shift == 0) return "0";
  const int decimals = std::abs(shift) < 0.01 ? 1 : 0;
  return (shift > 0 ? "+" : "") + percent_text(shift, decimals);
}

/// The labelled shifts, so far apart that they can be read: none first, then outwards.
std::vector<double> forest_ticks(const ForestAxis& axis) {
  std::vector<double> ticks = {0};
  const auto add = [&](const auto& candidates) {
    double last = axis.x(0);
    for (const double shift : candidates) {
      const double x = axis.x(shift);
      if (std::abs(x - last) < forest_tick_gap || x < forest_left || x > forest_right) continue;
      ticks.push_back(shift);
      last = x;
    }
  };
  add(forest_ticks_up);
  add(forest_ticks_down);
  return ticks;
}

std::string forest_text(double x, double y, std::string_view css, std::string_view anchor,
                        std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", css, x, y,
                     anchor, escaped(text));
}

/// Whether a name fits beside the axis; a longer one stands in a line of its own above its row.
bool fits_beside(const std::string& name) {
  return name.size() <= forest_longest_name;
}

std::string_view look_class(ForestRow::Look look) {
  if (look == ForestRow::Look::better) return "better";
  if (look == ForestRow::Look::information) return "information";
  return look == ForestRow::Look::worse ? "worse" : "plain";
}

std::string drawn_row(const ForestRow& row, const ForestAxis& axis, double y) {
  const std::string_view css = look_class(row.look);
  std::string svg;
  if (row.low && row.high) {
    const double from = axis.x(*row.low);
    const double to = axis.x(*row.high);
    svg += fmt::format(
        "<path class=\"range {0}\" d=\"M{1:.1f} {3:.1f}H{2:.1f}M{1:.1f} {4:.1f}v8M{2:.1f} {4:.1f}v8\"/>", css,
        from, to, y, y - 4);
  }
  // The shape says what the colour says: a square is better, a diamond worse, a circle neither.
  const double x = axis.x(row.shift);
  if (row.look == ForestRow::Look::better)
    svg += fmt::format("<rect class=\"point {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"9\" height=\"9\"/>", css,
                       x - 4.5, y - 4.5);
  else if (row.look == ForestRow::Look::worse)
    svg += fmt::format("<path class=\"point {}\" d=\"M{:.1f} {:.1f}l6 6-6 6-6-6z\"/>", css, x, y - 6);
  else
    svg += fmt::format("<circle class=\"point {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>", css, x, y);
  const std::string name =
      fits_beside(row.name) ? forest_text(forest_left - 12, y + 4, "name", "end", row.name) : "";
  return name + svg +
         forest_text(forest_right + 12, y + 4, "value", "start",
                     (row.shift > 0 ? "+" : "") + percent_text(row.shift));
}

}  // namespace

std::string forest_plot(const ForestPlot& plot) {
  const ForestAxis axis = forest_axis(plot);
  std::string rows;
  std::string_view last;
  double y = 4;
  for (const ForestRow& row : plot.rows) {
    if (!row.group.empty() && row.group != last) {
      y += forest_row;
      rows += forest_text(4, y, "group", "start", row.group);
      y += 3;
    }
    last = row.group;
    if (!fits_beside(row.name)) {
      y += forest_row;
      rows += forest_text(4, y, "name", "start", row.name);
    }
    y += forest_row;
    rows += drawn_row(row, axis, y - 4);
  }
  const double bottom = y + 8;
  std::string svg =
      fmt::format("<svg class=\"forest\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">",
                  forest_width, bottom + 24, escaped(plot.label));
  if (plot.gate) {
    const double from = axis.x(-*plot.gate);
    svg += fmt::format("<rect class=\"gate\" x=\"{:.1f}\" y=\"4\" width=\"{:.1f}\" height=\"{:.1f}\"/>", from,
                       axis.x(*plot.gate) - from, bottom - 4);
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", forest_left, bottom, forest_right);
  for (const double shift : forest_ticks(axis)) {
    const double x = axis.x(shift);
    svg += shift == 0 ? fmt::format("<path class=\"none\" d=\"M{:.1f} 4V{:.1f}\"/>", x, bottom)
                      : fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}v4\"/>", x, bottom);
    svg += forest_text(x, bottom + 17, "tick", "middle", tick_text(shift));
  }
  return svg + rows + "</svg>";
}

}  // namespace shakedown
