#include <fmt/format.h>

#include "reports/html/figures.hpp"
#include "reports/html/plots.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {

Figure node_histogram(const NodeScreen& screen) {
  DotStrip values{.metric = screen.metric, .points = {}, .limit = {}, .published = {}, .predicted = {}};
  for (const ScreenedNode& node : screen.nodes) values.points.push_back(node.value);
  const HistogramBins bins = histogram_bins(values.points);
  Figure figure{
      .title = fmt::format("{}, {}", suite_title(screen.suite), metric_title(screen.metric)),
      .caption = fmt::format("how many of {} nodes{} gave which value in their first run; the number "
                             "below each bar counts its nodes",
                             screen.nodes.size(), without_nodes(screen)),
      .drawn = histogram(values),
      .columns = {"Range", "Nodes"},
      .rows = {}};
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    const double from = bins.low + bins.width * static_cast<double>(i);
    figure.rows.push_back(
        {range_text(screen.metric, from, from + bins.width), fmt::format("{}", bins.counts[i])});
  }
  return figure;
}

}  // namespace shakedown
