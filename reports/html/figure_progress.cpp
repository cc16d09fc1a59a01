#include <fmt/format.h>

#include "orchestrator/core/units.hpp"
#include "parsers/progress.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/time_plots.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {
namespace {

constexpr std::size_t fewest_points = 4;
constexpr std::size_t most_table_rows = 12;

std::string now_text(const ProgressPoint& point) {
  return point.now_gflops ? flops_text(*point.now_gflops) : "–";
}

/// Of the files of an attempt the lines on progress of the first that has enough of them.
std::vector<ProgressPoint> points_of(const AttemptRecord& attempt) {
  for (const FileRecord& file : attempt.files)
    if (auto points = progress_points(file.excerpt); points.size() >= fewest_points) return points;
  return {};
}

}  // namespace

std::vector<Figure> progress_figures(const ReportInput& input, std::string_view suite) {
  for (auto each = input.measured.cases.rbegin(); each != input.measured.cases.rend(); ++each) {
    if (each->planned.suite != suite || each->own.empty()) continue;
    const CountedResult& last = each->own.back();
    const std::vector<ProgressPoint> points = points_of(*last.attempt);
    if (points.empty()) continue;
    std::optional<double> reached;
    if (const Metric* rate = last.result->parsed.metric(rate_metric(suite))) reached = rate->value;
    Figure figure{
        .title = "Rate while it ran",
        .caption = fmt::format("{}, attempt {}: since the start (thick), at the moment (thin), over what was "
                               "done; as far as the stored part of the log states it",
                               each->planned.id, last.attempt->index),
        .drawn = progress_plot(points, reached),
        .columns = {"Done", "Rate since the start", "At the moment"},
        .rows = {}};
    const std::size_t step = (points.size() + most_table_rows - 1) / most_table_rows;
    for (std::size_t i = 0; i < points.size(); i += step)
      figure.rows.push_back({fmt::format("{:.1f} %", 100 * points[i].share), flops_text(points[i].gflops),
                             now_text(points[i])});
    if (reached) figure.rows.push_back({"result", flops_text(*reached), "–"});
    return {figure};
  }
  return {};
}

}  // namespace shakedown
