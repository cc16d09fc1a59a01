#include "reports/html/suite_table.hpp"

#include <fmt/format.h>

#include "orchestrator/core/units.hpp"
#include "reports/display.hpp"

namespace shakedown {
namespace {

constexpr std::string_view
    absent;  // an empty cell is drawn as a dash, and not at all where cells are stacked

/// "Rmax", "gpt3, time to train".
std::string figure_name(const SuiteFigure& figure) {
  std::string title = figure.metric.empty() ? "" : metric_title(figure.metric);
  if (figure.benchmark.empty()) return title;
  return title.empty() ? figure.benchmark : fmt::format("{}, {}", figure.benchmark, title);
}

/// "of 92.4 GFLOP/s measured GEMM (above 100 %: ...)"; of a figure that no peak bounds nothing.
std::string against(const SuiteFigure& figure) {
  if (figure.efficiency_metric.empty() || !figure.measured) return "";
  if (figure.remark.empty()) return figure.basis;
  return fmt::format("{}; {}", figure.basis, figure.remark);
}

/// A band's ends, without their unit where it is that of the value: "82 to 100".
std::string band(std::string_view metric, const Prediction& predicted) {
  const std::string value = metric_text(metric, predicted.value);
  std::string low = metric_text(metric, predicted.low);
  std::string high = metric_text(metric, predicted.high);
  const size_t at = value.find(' ');
  const std::string unit = at == std::string::npos ? "" : value.substr(at);
  if (!unit.empty() && low.ends_with(unit) && high.ends_with(unit)) {
    low.resize(low.size() - unit.size());
    high.resize(high.size() - unit.size());
  }
  return fmt::format("{} to {}", low, high);
}

Fields row(const SuiteFigure& figure) {
  const auto shown = [&](double value) { return metric_text(figure.metric, value); };
  const auto& predicted = figure.predicted;
  std::string efficiency(absent);
  if (figure.efficiency) efficiency = percent_text(*figure.efficiency);
  if (figure.efficiency && figure.suite == "mlperf") efficiency = "MFU " + efficiency;
  return Fields()
      .text("suite", suite_title(figure.suite))
      .text("figure", figure_name(figure))
      .text("measured", figure.measured ? shown(*figure.measured) : figure.absent)
      .text("predicted", predicted ? shown(predicted->value) : std::string(absent))
      .text_if("band", predicted ? band(figure.metric, *predicted) : "")
      .text("efficiency", efficiency)
      .text("against", against(figure));
}

}  // namespace

std::string too_short(std::span<const SuiteFigure> figures) {
  std::string names;
  for (const SuiteFigure& figure : figures) {
    if (figure.mark.empty()) continue;
    const std::string name = suite_title(figure.suite);
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

std::vector<Fields> suite_rows(std::span<const SuiteFigure> figures) {
  return rows_of(figures, row);
}

}  // namespace shakedown
