// Results of equal runs, and a rate over the number of nodes.
#include <fmt/format.h>

#include "orchestrator/core/text.hpp"
#include "reports/html/figure_values.hpp"
#include "reports/html/figures.hpp"
#include "reports/measure/display.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {

std::vector<Figure> repetition_figures(const ReportInput& input, std::string_view suite) {
  static constexpr std::size_t most_dots = 40;
  std::vector<Figure> figures;
  for (const FigureValues& each : figure_values(input, suite))
    for (const auto& [nodes, values] : each.by_nodes) {
      if (nodes == 1 && each.screened) continue;
      const DotStrip strip = beside_marks(input, each, nodes);
      // One value beside a published one is a row of the comparison, no picture.
      if (values.size() < 2 && !strip.limit && !strip.predicted) continue;
      Figure figure{
          .title = fmt::format("{} on {}", capitalised(each.title), plural(nodes, "node")),
          .caption =
              values.size() == 1
                  ? "one result"
                  : fmt::format("{} results{}", values.size(),
                                values.size() > most_dots ? "; the number below each bar counts them" : ""),
          .drawn = values.size() > most_dots ? histogram(strip) : dot_strip(strip),
          .columns = {"Run", metric_title(each.metric)},
          .rows = {}};
      for (const FigureValue& value : values)
        figure.rows.push_back({value.name, metric_text(each.metric, value.value)});
      if (strip.limit) figure.rows.push_back({"limit", metric_text(each.metric, *strip.limit)});
      if (strip.published) figure.rows.push_back({"published", metric_text(each.metric, *strip.published)});
      if (strip.predicted)
        figure.rows.push_back(
            {"predicted", range_text(each.metric, strip.predicted->low, strip.predicted->high)});
      figures.push_back(std::move(figure));
    }
  return figures;
}

std::vector<Figure> scaling_figures(const ReportInput& input, std::string_view suite) {
  std::vector<Figure> figures;
  for (const FigureValues& each : figure_values(input, suite)) {
    if (each.by_nodes.size() < 2 || direction_of(each.metric) != Better::higher) continue;
    std::vector<ScalePoint> points;
    for (const auto& [nodes, values] : each.by_nodes) {
      std::vector<double> all;
      for (const FigureValue& value : values) all.push_back(value.value);
      points.push_back({nodes, median(all)});
    }
    const ScalePoint& first = points.front();
    if (!(first.value > 0)) continue;
    Figure figure{
        .title = fmt::format("{} over the number of nodes", capitalised(each.title)),
        .caption = "in per cent of the rate of the fewest nodes, scaled (broken line); logarithmic axes",
        .drawn = scaling_plot(points, each.metric),
        .columns = {"Nodes", metric_title(each.metric), "Efficiency"},
        .rows = {}};
    for (const ScalePoint& point : points)
      figure.rows.push_back(
          {fmt::format("{}", point.nodes), metric_text(each.metric, point.value),
           fmt::format("{:.1f} %", 100 * point.value / (first.value * point.nodes / first.nodes))});
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace shakedown
