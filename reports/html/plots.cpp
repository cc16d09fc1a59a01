#include "reports/html/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/html/svg.hpp"
#include "reports/measure/display.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr double strip_margin = 14;

/// What an axis must hold: the values, and all that they are set beside.
ValueRange domain(const DotStrip& strip) {
  std::vector<double> all = strip.points;
  if (strip.score) all.push_back(*strip.score);
  if (strip.limit) all.push_back(*strip.limit);
  if (strip.published) all.push_back(*strip.published);
  if (strip.predicted) {
    all.push_back(strip.predicted->low);
    all.push_back(strip.predicted->high);
  }
  const auto [least, most] = std::ranges::minmax(all);
  // Values that print alike lie side by side, not at the axis' ends.
  const double pad = std::max(0.0, 0.002 * std::max(std::abs(least), std::abs(most)) - (most - least)) / 2;
  return {least - pad, most + pad};
}

/// What is marked among the points: "score 27.93 min", "median ...", "measured ..." of a single one.
double middle_of(const DotStrip& strip) {
  return strip.score ? *strip.score : median(strip.points);
}
std::string middle_text(const DotStrip& strip) {
  const std::string_view word = strip.score ? "score" : strip.points.size() == 1 ? "measured" : "median";
  return fmt::format("{} {}", word, metric_text(strip.metric, middle_of(strip)));
}

/// What a strip or a histogram shows, for who does not see it.
std::string label_of(const DotStrip& strip) {
  const auto shown = [&](double value) { return metric_text(strip.metric, value); };
  std::string label = fmt::format("{} result{}, {}", strip.points.size(), strip.points.size() == 1 ? "" : "s",
                                  middle_text(strip));
  if (strip.limit) label += fmt::format(", limit {}", shown(*strip.limit));
  if (strip.published) label += fmt::format(", published {}", shown(*strip.published));
  if (strip.predicted)
    label +=
        fmt::format(", predicted {}", range_text(strip.metric, strip.predicted->low, strip.predicted->high));
  return label;
}

}  // namespace

std::string dot_strip(const DotStrip& strip) {
  const auto shown = [&](double value) { return metric_text(strip.metric, value); };
  const ValueRange held = domain(strip);
  const svg::Axis axis(held.low, held.high, strip_margin, svg::plot_width - strip_margin);
  constexpr double base = 40;
  constexpr double row = 17;
  double below = base + 28;
  const double marks = (strip.limit ? 1 : 0) + (strip.published ? 1 : 0) + (strip.predicted ? 1 : 0);
  const double rows = std::max(1.0, marks);
  std::string drawn = svg::begin(base + 14 + row * rows, label_of(strip));
  if (strip.predicted) {
    const double from = axis.at(strip.predicted->low);
    const double to = axis.at(strip.predicted->high);
    drawn += svg::rect(from, base - 9, std::max(2.0, to - from), 18, "band");
  }
  drawn += svg::line(strip_margin, base, svg::plot_width - strip_margin, base, "axis");
  if (marks == 0)  // else a mark below and the middle above are the scale
    drawn += svg::text(strip_margin, below, "start", shown(held.low)) +
             svg::text(svg::plot_width - strip_margin, below, "end", shown(held.high));
  if (strip.limit) {
    const double x = axis.at(*strip.limit);
    drawn += svg::line(x, base - 14, x, base + 14, "limit") +
             svg::text_within(x, below, "limit " + shown(*strip.limit));
    below += row;
  }
  const double x = axis.at(middle_of(strip));
  drawn +=
      svg::line(x, base - 14, x, base + 9, "median") + svg::text_within(x, base - 22, middle_text(strip));
  for (const double point : strip.points)
    drawn += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.0f}\" r=\"5\"/>", axis.at(point), base);
  if (strip.published) {
    const double at = axis.at(*strip.published);
    drawn += fmt::format("<path class=\"base\" d=\"M{:.1f} {:.0f}l6 6-6 6-6-6z\"/>", at, base - 6) +
             svg::text_within(at, below, "published " + shown(*strip.published));
    below += row;
  }
  if (strip.predicted)
    drawn += svg::text_within(
        (axis.at(strip.predicted->low) + axis.at(strip.predicted->high)) / 2, below,
        "predicted " + range_text(strip.metric, strip.predicted->low, strip.predicted->high));
  return drawn + "</svg>";
}

std::string bar_chart(const std::vector<Bar>& bars, std::string_view label) {
  constexpr double row = 20;
  constexpr double gap = 8;
  double names = 0;
  for (const Bar& bar : bars) names = std::max(names, svg::text_room(bar.name) + gap);
  // As long as the values behind the bars allow; what has no bar may be as long as it likes.
  double scale = std::numeric_limits<double>::infinity();
  for (const Bar& bar : bars)
    if (bar.value > 0)
      scale = std::min(scale,
                       std::max(1.0, svg::plot_width - names - gap - svg::text_room(bar.shown)) / bar.value);
  std::string drawn = svg::begin(row * static_cast<double>(bars.size()) + 4, label);
  double y = 2;
  for (const Bar& bar : bars) {
    const double length = bar.value > 0 ? scale * bar.value : 0;
    drawn += svg::text(names - gap, y + 14, "end", bar.name) +
             svg::rect(names, y + 3, std::max(1.0, length), row - 6, bar.marked ? "bar open" : "bar") +
             svg::text(names + length + gap, y + 14, "start", bar.shown);
    y += row;
  }
  return drawn + "</svg>";
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
  constexpr double height = 210;
  constexpr double side = 50;
  const svg::Axis x(std::log(first.nodes), std::log(last.nodes), side + 10, svg::plot_width - side - 30);
  const svg::Axis y(std::log(least), std::log(most), height - 66, 22);
  std::string drawn =
      svg::begin(height, fmt::format("{} on {} to {} nodes", metric_title(metric), first.nodes, last.nodes)) +
      svg::line(side, height - 26, svg::plot_width - side, height - 26, "axis") +
      svg::line(x.at(std::log(first.nodes)), y.at(std::log(first.value)), x.at(std::log(last.nodes)),
                y.at(std::log(ideal(last.nodes))), "ideal");
  for (const ScalePoint& point : points) {
    const double at = x.at(std::log(point.nodes));
    const double up = y.at(std::log(point.value));
    const bool is_first = point.nodes == first.nodes;
    drawn += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>", at, up) +
             svg::text(at, height - 8, "middle", fmt::format("{}", point.nodes)) +
             // The points rise: left of each there is room, right of the first.
             svg::text(at + (is_first ? 9 : -9), up + (is_first ? 16 : 4), is_first ? "start" : "end",
                       fmt::format("{}, {:.0f} %", metric_text(metric, point.value),
                                   100 * point.value / ideal(point.nodes)));
  }
  return drawn + svg::text(svg::plot_width - 4, height - 8, "end", "nodes") + "</svg>";
}

HistogramBins histogram_bins(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  // Source: Rice's rule, 2 n^(1/3), in bounds that a small picture can show.
  const auto wanted = static_cast<std::size_t>(2 * std::cbrt(static_cast<double>(values.size())));
  HistogramBins bins{.low = least, .width = 0, .counts = {}};
  if (!(most > least)) {
    bins.counts = {static_cast<int>(values.size())};
    return bins;
  }
  bins.counts.resize(std::clamp<std::size_t>(wanted, 5, 16));
  bins.width = (most - least) / static_cast<double>(bins.counts.size());
  for (const double value : values) {
    const auto bin = static_cast<std::size_t>((value - least) / bins.width);
    ++bins.counts[std::min(bin, bins.counts.size() - 1)];
  }
  return bins;
}

std::string histogram(const DotStrip& values) {
  const auto shown = [&](double value) { return metric_text(values.metric, value); };
  const HistogramBins bins = histogram_bins(values.points);
  const ValueRange held = domain(values);
  constexpr double height = 166;
  constexpr double ground = height - 58;
  constexpr double ceiling = 26;
  const svg::Axis axis(held.low, held.high, strip_margin, svg::plot_width - strip_margin);
  const double most = *std::ranges::max_element(bins.counts);
  std::string drawn = svg::begin(height, label_of(values));
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    if (bins.counts[i] == 0) continue;
    const double from = axis.at(bins.low + bins.width * static_cast<double>(i));
    const double to = axis.at(bins.low + bins.width * static_cast<double>(i + 1));
    // One value among hundreds is seen, too.
    const double high = std::max(4.0, (ground - ceiling) * bins.counts[i] / most);
    drawn += svg::rect(from, ground - high, std::max(2.0, to - from - 1), high, "bar");
    const std::string count = fmt::format("{}", bins.counts[i]);
    if (svg::text_room(count) > to - from && bins.counts[i] < most) continue;  // narrow beside a far limit
    drawn += svg::text((from + to) / 2, ground + 14, "middle", count);
  }
  const double x = axis.at(middle_of(values));
  drawn += svg::line(strip_margin, ground, svg::plot_width - strip_margin, ground, "axis") +
           svg::line(x, ceiling - 8, x, ground, "median") + svg::text_within(x, 13, middle_text(values)) +
           svg::text(strip_margin, ground + 32, "start", shown(held.low)) +
           svg::text(svg::plot_width - strip_margin, ground + 32, "end", shown(held.high));
  if (values.limit) {
    const double at = axis.at(*values.limit);
    drawn += svg::line(at, ceiling, at, ground + 6, "limit") +
             svg::text_within(at, ground + 50, "limit " + shown(*values.limit));
  }
  return drawn + "</svg>";
}

}  // namespace shakedown
