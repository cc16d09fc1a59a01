#include "reports/site/level.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/measure/display.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/watch.hpp"

namespace shakedown {
namespace {

/// Units of one kind, the smallest first, and how much of the first each is.
struct UnitStep {
  std::string_view name;
  double size;
};
constexpr std::array<UnitStep, 5> flop_rates = {
    {{"MFLOP/s", 1e-3}, {"GFLOP/s", 1}, {"TFLOP/s", 1e3}, {"PFLOP/s", 1e6}, {"EFLOP/s", 1e9}}};
constexpr std::array<UnitStep, 3> times = {
    {{"s", 1}, {"min", 120}, {"h", 7200}}};  // from where on they are used

bool is_share(std::string_view metric) {
  return metric.starts_with("efficiency_") || metric.ends_with("_ratio") || metric == "reliability";
}

ShownUnit time_unit(double largest, double unit_s) {
  const UnitStep* chosen = times.data();
  for (const UnitStep& step : times)
    if (largest * unit_s >= step.size) chosen = &step;
  const double in_s = chosen->name == "h" ? 3600 : chosen->name == "min" ? 60 : 1;
  return {std::string(chosen->name), unit_s / in_s};
}

/// The values of the checks since the series began again, turned so that less is worse.
std::vector<double> turned_values(const CheckSeries& series) {
  const double sign = series.better == Better::higher ? 1 : -1;
  std::vector<double> turned;
  for (std::size_t i = series.control_from; i < series.checks.size(); ++i)
    turned.push_back(sign * std::log(series.checks[i].runs.front()));
  return turned;
}

}  // namespace

ShownUnit shown_unit(std::string_view metric, std::string_view unit, double largest) {
  if (unit.empty() && is_share(metric)) return {"%", 100};
  const std::string own = unit.empty() ? metric_unit(metric) : std::string(unit);
  if (own == "MB/s" && unit.empty()) return {"GB/s", 1e-3, 3};
  if (own == "GFLOP/s") {
    const UnitStep* chosen = flop_rates.data();
    for (const UnitStep& step : flop_rates)
      if (largest >= step.size) chosen = &step;
    return {std::string(chosen->name), 1 / chosen->size};
  }
  if (own == "s") return time_unit(largest, 1);
  if (own == "min") return time_unit(largest, 60);
  return {own, 1};
}

std::optional<NoiseBand> noise_band(const CheckSeries& series, double effect) {
  static constexpr std::size_t least = 4;  // three values, and the newest
  std::vector<double> turned = turned_values(series);
  NoiseBand band{.from = series.control_from};
  const WatchLimits limits{.magnitude = effect};
  if (const auto gain =
          lasting_gain(turned, watch_least_gain(series.better, effect), limits.significance())) {
    band.from += gain->from;
    turned.erase(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(gain->from));
  }
  if (turned.size() < least) return std::nullopt;
  const ControlRegion region =
      control_region(turned, watch_suspicion, watch_least_loss(series.better, effect));
  const auto expected = prediction_limits(region.control, watch_suspicion);
  if (!expected) return std::nullopt;
  const double sign = series.better == Better::higher ? 1 : -1;
  band.centre = std::exp(sign * expected->centre);
  band.low = std::exp(sign * (sign > 0 ? expected->low : expected->high));
  band.high = std::exp(sign * (sign > 0 ? expected->high : expected->low));
  band.checks = expected->n;
  return band;
}

std::vector<ChangePoint> site_change_points(const CheckSeries& series) {
  if (series.checks.size() < control_least) return {};
  std::vector<double> values;
  values.reserve(series.checks.size());
  for (const SeriesCheck& check : series.checks) values.push_back(check.runs.front());
  auto points = hunter_change_points(values, weekly_hunter);
  return points ? *std::move(points) : std::vector<ChangePoint>();
}

}  // namespace shakedown
