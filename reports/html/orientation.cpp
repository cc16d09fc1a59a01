#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

std::string count(const std::optional<int>& number) {
  return number ? fmt::format("{}", *number) : std::string(dash);
}

Fields figure_row(const OrientationFigure& figure) {
  const std::string name = figure.benchmark.empty()
                               ? suite_title(figure.suite)
                               : fmt::format("{} {}", suite_title(figure.suite), figure.benchmark);
  const bool no_arithmetic = figure.suite == "io500";
  return Fields()
      .text("figure", fmt::format("{} {}", name, metric_title(figure.metric)))
      .text("value", metric_text(figure.metric, figure.value))
      .text("precision", !figure.precision.empty() ? figure.precision
                         : no_arithmetic           ? std::string(dash)
                                                   : "not stated")
      .text("nodes", count(figure.nodes))
      .text("gpus", count(figure.gpus))
      .text("bound_by", figure.bound_by.empty() ? "not stated" : figure.bound_by)
      .text("source",
            figure.status == "ok" ? figure.source : fmt::format("{}; {}", figure.source, figure.status));
}

Fields ratio_row(const OrientationRatio& ratio) {
  const auto shown = [&](const std::optional<double>& value) {
    if (!value) return std::string(dash);
    return ratio.share ? percent_text(*value) : number(*value, 3);
  };
  return Fields()
      .text("name", ratio.name)
      .text("here", shown(ratio.here))
      .text("here_on", ratio.here_on)
      .text("there", shown(ratio.there))
      .text("there_on", ratio.there_on)
      .text("says", capitalised(ratio.says));
}

}  // namespace

Result<std::string> orientation_section(const ReportInput& input) {
  const auto& orientation = input.judgement.orientation;
  if (!orientation || input.baseline == nullptr) return std::string();
  Fields section;
  section.text("baseline", input.baseline->title)
      .text("why", orientation->why)
      .list("figures", rows_of(orientation->figures, figure_row))
      .flag("unverified", std::any_of(orientation->figures.begin(), orientation->figures.end(),
                                      [](const OrientationFigure& each) { return each.suite == "mlperf"; }))
      .flag("has_ratios", !orientation->ratios.empty())
      .list("ratios", rows_of(orientation->ratios, ratio_row));
  return filled("orientation.mustache", section);
}

}  // namespace shakedown
