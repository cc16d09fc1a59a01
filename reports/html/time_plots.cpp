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

std::string disturbance_plot(const std::vector<TimedRun>& runs) {
  constexpr double height = 150;
  constexpr double ground = height - 30;
  constexpr double ceiling = 24;
  constexpr double side = 12;
  double from = runs.front().from_s;
  double to = runs.front().to_s;
  double most = 0;
  double lost = 0;
  for (const TimedRun& run : runs) {
    lost = std::max(lost, run.others_cores + run.stolen_cores);
    from = std::min(from, run.from_s);
    to = std::max(to, run.to_s);
    most = std::max({most, run.others_cores, run.stolen_cores, run.limit_cores.value_or(0),
                     run.stolen_limit_cores.value_or(0)});
  }
  const double top = std::max(most, 0.1);  // so that next to nothing looks like it
  const svg::Axis x(from, to, side, svg::plot_width - side);
  const svg::Axis y(0, top, ground, ceiling);
  std::string drawn =
      svg::begin(height, fmt::format("cores lost to others over time: at most {:.2f} of a run", lost));
  for (const TimedRun& run : runs) {
    const double left = x.at(run.from_s);
    const double wide = std::max(1.5, x.at(run.to_s) - left);
    drawn += svg::rect(left, ceiling, wide, ground - ceiling, "band");
    const auto half = [&](double from_x, double cores, std::optional<double> limit, std::string_view css) {
      if (const double high = ground - y.at(cores); high >= 0.1)
        drawn += svg::rect(from_x, ground - high, wide / 2, high, css);
      if (!limit) return;
      const double at = y.at(std::max(0.0, *limit));
      drawn += svg::line(from_x, at, from_x + wide / 2, at, "limit");
    };
    half(left, run.others_cores, run.limit_cores, run.beyond_limit ? "bar beyond" : "bar");
    half(left + wide / 2, run.stolen_cores, run.stolen_limit_cores, "bar open");
  }
  return drawn + svg::line(side, ground, svg::plot_width - side, ground, "axis") +
         svg::line(side, ceiling, svg::plot_width - side, ceiling, "axis") +
         svg::text(side, ceiling - 8, "start", fmt::format("{:.2f} cores", top)) +
         svg::text(side, height - 10, "start", utc_text(from)) +
         svg::text(svg::plot_width - side, height - 10, "end", utc_text(to)) + "</svg>";
}

}  // namespace shakedown
