#include "reports/html/time_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/html/svg.hpp"
#include "reports/html/template.hpp"

namespace shakedown {
namespace {

/// One line through points, in the style sheet's class.
class PolyLine {
 public:
  void to(double x, double y) { path_ += fmt::format("{}{:.1f} {:.1f}", path_.empty() ? "M" : "L", x, y); }
  [[nodiscard]] std::string drawn(std::string_view css) const {
    return fmt::format("<path class=\"{}\" d=\"{}\"/>", css, path_);
  }

 private:
  std::string path_;
};

}  // namespace

std::string progress_plot(const std::vector<ProgressPoint>& points, std::optional<double> final_gflops) {
  constexpr double height = 190;
  constexpr double ground = height - 30;
  constexpr double ceiling = 30;
  constexpr double side = 12;
  double most = final_gflops.value_or(0);
  for (const ProgressPoint& point : points)
    most = std::max({most, point.gflops, point.now_gflops.value_or(0)});
  const svg::Axis x(0, 1, side, svg::plot_width - side);
  const svg::Axis y(0, most, ground, ceiling);
  PolyLine mean;
  PolyLine now;
  bool any_now = false;
  for (const ProgressPoint& point : points) {
    mean.to(x.at(point.share), y.at(point.gflops));
    if (!point.now_gflops) continue;
    any_now = true;
    now.to(x.at(point.share), y.at(*point.now_gflops));
  }
  const ProgressPoint& last = points.back();
  std::string drawn =
      svg::begin(height, fmt::format("rate over progress, {} points; {} at {:.0f} %", points.size(),
                                     flops_text(last.gflops), 100 * last.share)) +
      svg::line(side, ground, svg::plot_width - side, ground, "axis");
  if (any_now) drawn += now.drawn("thin");
  drawn += mean.drawn("median");
  if (final_gflops)
    drawn += svg::line(side, y.at(*final_gflops), svg::plot_width - side, y.at(*final_gflops), "ideal") +
             svg::text(svg::plot_width - side, y.at(*final_gflops) - 7, "end",
                       "result " + flops_text(*final_gflops));
  for (const double share : {0.0, 0.5, 1.0})
    drawn += svg::text_within(x.at(share), height - 10, fmt::format("{:.0f} %", 100 * share));
  return drawn + "</svg>";
}

std::vector<TimedRun> worst_of_spans(const std::vector<TimedRun>& runs, std::size_t count) {
  const auto begins = [](const TimedRun& run) { return run.from_s; };
  const double from = std::ranges::min(runs, {}, begins).from_s;
  const double wide = (std::ranges::max(runs, {}, &TimedRun::to_s).to_s - from) / static_cast<double>(count);
  const auto lowest = [](std::optional<double> a, std::optional<double> b) {
    return a && b ? std::min(*a, *b) : a ? a : b;
  };
  std::map<std::size_t, TimedRun> spans;
  for (const TimedRun& run : runs) {
    const auto at = std::min(count - 1, static_cast<std::size_t>((run.from_s - from) / wide));
    const auto [it, is_new] = spans.emplace(at, run);
    TimedRun& span = it->second;
    span.from_s = from + wide * static_cast<double>(at);
    span.to_s = span.from_s + wide;
    if (is_new) continue;
    span.others_cores = std::max(span.others_cores, run.others_cores);
    span.stolen_cores = std::max(span.stolen_cores, run.stolen_cores);
    span.beyond_limit = span.beyond_limit || run.beyond_limit;
    span.limit_cores = lowest(span.limit_cores, run.limit_cores);
    span.stolen_limit_cores = lowest(span.stolen_limit_cores, run.stolen_limit_cores);
  }
  std::vector<TimedRun> worst;
  worst.reserve(spans.size());
  for (auto& [at, span] : spans) worst.push_back(std::move(span));
  return worst;
}

std::vector<std::size_t> rows_without_overlap(const std::vector<TimedRun>& runs) {
  std::vector<double> ends;  // of the last run in each row
  std::vector<std::size_t> rows;
  rows.reserve(runs.size());
  for (const TimedRun& run : runs) {
    const auto free = std::ranges::find_if(ends, [&](double end) { return end <= run.from_s; });
    rows.push_back(static_cast<std::size_t>(free - ends.begin()));
    if (free == ends.end())
      ends.push_back(run.to_s);
    else
      *free = run.to_s;
  }
  return rows;
}

namespace {

/// What all runs of a plot lie within, and the most that is drawn of one.
struct PlotRange {
  double from = 0;
  double to = 0;
  double most = 0.1;  ///< so that next to nothing looks like it
  double lost = 0;
};

PlotRange plot_range(const std::vector<TimedRun>& runs) {
  PlotRange range{.from = runs.front().from_s, .to = runs.front().to_s};
  for (const TimedRun& run : runs) {
    range.lost = std::max(range.lost, run.others_cores + run.stolen_cores);
    range.from = std::min(range.from, run.from_s);
    range.to = std::max(range.to, run.to_s);
    range.most = std::max({range.most, run.others_cores, run.stolen_cores, run.limit_cores.value_or(0),
                           run.stolen_limit_cores.value_or(0)});
  }
  return range;
}

/// A run in its row: what others used in the left half, what the hypervisor took in the right one.
std::string drawn_run(const TimedRun& run, const svg::Axis& x, const svg::Axis& y, double ground,
                      double ceiling) {
  const double left = x.at(run.from_s);
  const double wide = std::max(1.5, x.at(run.to_s) - left);
  std::string drawn = svg::rect(left, ceiling, wide, ground - ceiling, "band");
  const auto half = [&](double from_x, double cores, std::optional<double> limit, std::string_view css) {
    if (const double high = ground - y.at(cores); high >= 0.1)
      drawn += svg::rect(from_x, ground - high, wide / 2, high, css);
    if (!limit) return;
    const double at = y.at(std::max(0.0, *limit));
    drawn += svg::line(from_x, at, from_x + wide / 2, at, "limit");
  };
  half(left, run.others_cores, run.limit_cores, run.beyond_limit ? "bar beyond" : "bar");
  half(left + wide / 2, run.stolen_cores, run.stolen_limit_cores, "bar open");
  return drawn;
}

}  // namespace

std::string disturbance_plot(const std::vector<TimedRun>& runs) {
  constexpr double top = 24;
  constexpr double side = 12;
  constexpr double gap = 8;  // between rows
  const std::vector<std::size_t> row_of = rows_without_overlap(runs);
  const std::size_t rows = std::ranges::max(row_of) + 1;
  const double high = rows == 1 ? 96 : 40;  // of one row
  const double end = top + static_cast<double>(rows) * (high + gap) - gap;
  const PlotRange range = plot_range(runs);
  const svg::Axis x(range.from, range.to, side, svg::plot_width - side);
  std::string drawn = svg::begin(
      end + 30, fmt::format("cores lost to others over time: at most {:.2f} of a run", range.lost));
  for (std::size_t row = 0; row < rows; ++row) {
    const double ceiling = top + static_cast<double>(row) * (high + gap);
    const double ground = ceiling + high;
    const svg::Axis y(0, range.most, ground, ceiling);
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (row_of[i] == row) drawn += drawn_run(runs[i], x, y, ground, ceiling);
    drawn += svg::line(side, ground, svg::plot_width - side, ground, "axis") +
             svg::line(side, ceiling, svg::plot_width - side, ceiling, "axis");
  }
  return drawn +
         svg::text(side, top - 8, "start",
                   fmt::format("{}{:.2f} cores", rows > 1 ? "each row 0 to " : "", range.most)) +
         svg::text(side, end + 20, "start", utc_text(range.from)) +
         svg::text(svg::plot_width - side, end + 20, "end", utc_text(range.to)) + "</svg>";
}

}  // namespace shakedown
