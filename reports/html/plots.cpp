#include "reports/html/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html/template.hpp"
#include "reports/measure/display.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr double width = 640;
constexpr double margin = 60;

/// Pixels of a value on an axis.
class Axis {
 public:
  Axis(double low, double high, double from, double to) : low_(low), high_(high), from_(from), to_(to) {}
  [[nodiscard]] double at(double value) const {
    if (high_ <= low_) return (from_ + to_) / 2;
    return from_ + (to_ - from_) * (value - low_) / (high_ - low_);
  }

 private:
  double low_;
  double high_;
  double from_;
  double to_;
};

std::string begin(double height, std::string_view label) {
  return fmt::format("<svg class=\"plot\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">",
                     width, height, escaped(label));
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view css) {
  return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", css, x1, y1, x2, y2);
}

}  // namespace

std::string dot_strip(const DotStrip& strip) {
  std::vector<double> all = strip.points;
  if (strip.limit) all.push_back(*strip.limit);
  const auto [least, most] = std::ranges::minmax(all);
  const double middle = median(strip.points);
  const auto shown = [&](double value) { return metric_text(strip.metric, value); };
  std::string label = fmt::format("{} results, median {}", strip.points.size(), shown(middle));
  if (strip.limit) label += fmt::format(", limit {}", shown(*strip.limit));
  const Axis axis(least, most, margin, width - margin);
  constexpr double height = 74;
  constexpr double base = 42;
  std::string svg = begin(height, label) + line(margin, base, width - margin, base, "axis");
  if (strip.limit) {
    const double x = axis.at(*strip.limit);
    svg += line(x, base - 22, x, base + 8, "limit") +
           text_at(x, base + 26, x > width / 2 ? "end" : "start", "limit " + shown(*strip.limit));
  }
  const double x = axis.at(middle);
  svg += line(x, base - 14, x, base + 8, "median") +
         text_at(x, base - 22, x > width * 0.8 ? "end" : (x < width * 0.2 ? "start" : "middle"),
                 "median " + shown(middle));
  for (const double point : strip.points)
    svg += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>", axis.at(point), base);
  return svg + "</svg>";
}

std::string bar_chart(const std::vector<Bar>& bars, std::string_view label) {
  constexpr double row = 19;
  constexpr double names = 170;
  double most = 0;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  const Axis axis(0, most, 0, width - names - 130);
  std::string svg = begin(row * static_cast<double>(bars.size()) + 6, label);
  double y = 3;
  for (const Bar& bar : bars) {
    svg += text_at(names - 8, y + 13, "end", bar.name) +
           fmt::format("<rect class=\"{}\" x=\"{:.0f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\"/>",
                       bar.marked ? "bar open" : "bar", names, y + 2, std::max(1.0, axis.at(bar.value)),
                       row - 5) +
           text_at(names + axis.at(bar.value) + 6, y + 13, "start", bar.shown);
    y += row;
  }
  return svg + "</svg>";
}

std::string scaling_plot(const std::vector<ScalePoint>& points, std::string_view metric) {
  const ScalePoint first = *std::ranges::min_element(points, {}, &ScalePoint::nodes);
  const ScalePoint last = *std::ranges::max_element(points, {}, &ScalePoint::nodes);
  const auto ideal = [&](int nodes) { return first.value * nodes / first.nodes; };
  double least = first.value;
  double most = ideal(last.nodes);
  for (const ScalePoint& point : points) {
    least = std::min(least, point.value);
    most = std::max(most, point.value);
  }
  constexpr double height = 230;
  const Axis x(std::log(first.nodes), std::log(last.nodes), margin + 20, width - margin - 40);
  const Axis y(std::log(least), std::log(most), height - 66, 26);
  std::string svg =
      begin(height, fmt::format("{} on {} to {} nodes", metric_title(metric), first.nodes, last.nodes)) +
      line(margin, height - 28, width - margin, height - 28, "axis") +
      line(x.at(std::log(first.nodes)), y.at(std::log(first.value)), x.at(std::log(last.nodes)),
           y.at(std::log(ideal(last.nodes))), "ideal");
  for (const ScalePoint& point : points) {
    const double at = x.at(std::log(point.nodes));
    const double up = y.at(std::log(point.value));
    svg += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>", at, up) +
           text_at(at, height - 10, "middle", fmt::format("{}", point.nodes)) +
           text_at(at, up + 22, point.nodes == first.nodes ? "start" : "middle",
                   fmt::format("{}, {:.0f} %", metric_text(metric, point.value),
                               100 * point.value / ideal(point.nodes)));
  }
  return svg + text_at(width - 4, height - 10, "end", "nodes") + "</svg>";
}

}  // namespace shakedown
