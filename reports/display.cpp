#include "reports/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array<Entry, 3> suites = {
    {{"hpl-mxp", "HPL-MxP"}, {"mlperf", "MLPerf"}, {"network", "Network"}}};

constexpr std::array<Entry, 13> metrics = {{{"rmax_gflops", "Rmax"},
                                            {"rmax_gflops_per_gpu", "Rmax per GPU"},
                                            {"time_s", "time"},
                                            {"wall_time_s", "time from start to end"},
                                            {"residual", "residual"},
                                            {"fp64_gflops", "FP64 rate"},
                                            {"fp32_gflops", "FP32 rate"},
                                            {"spread_pct", "spread of repetitions"},
                                            {"efficiency_gemm", "efficiency over measured GEMM"},
                                            {"efficiency_rpeak", "efficiency over theoretical peak"},
                                            {"efficiency_stream", "implied bandwidth over measured STREAM"},
                                            {"efficiency_memory", "efficiency over the memory's peak"},
                                            {"validity", "validity"}}};

/// Endings of metric keys, longest first where one ends another.
constexpr std::array<Entry, 11> units = {{{"_gflops", "GFLOP/s"},
                                          {"_gflops_per_gpu", "GFLOP/s"},
                                          {"_gib_s", "GiB/s"},
                                          {"_gb_s", "GB/s"},
                                          {"_mb_s", "MB/s"},
                                          {"_per_s", "/s"},
                                          {"_s", "s"},
                                          {"_min", "min"},
                                          {"_kiops", "kIOPS"},
                                          {"_gb", "GB"},
                                          {"_pct", "%"}}};

bool is_ratio(std::string_view metric) {
  return metric.starts_with("efficiency_") || metric.ends_with("_ratio");
}

}  // namespace

std::string suite_title(std::string_view suite) {
  for (const auto& [id, title] : suites)
    if (id == suite) return std::string(title);
  std::string title(suite);
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return title;
}

std::string metric_title(std::string_view metric) {
  for (const auto& [key, title] : metrics)
    if (key == metric) return std::string(title);
  for (const auto& [ending, unit] : units)
    if (metric.ends_with(ending)) {
      metric.remove_suffix(ending.size());
      break;
    }
  std::string title(metric);
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

std::string metric_unit(std::string_view metric) {
  metric = metric.substr(0, metric.find("_trial_"));  // "fp64_gflops_trial_2"
  for (const auto& [ending, unit] : units)
    if (metric.ends_with(ending)) return std::string(unit);
  return "";
}

std::string metric_text(std::string_view metric, double value, int extra) {
  if (is_ratio(metric)) return percent_text(value, 1 + extra);
  const std::string unit = metric_unit(metric);
  if (unit == "GFLOP/s") return flops_text(value, 4 + extra);
  const int significant = (unit == "%" ? 2 : 4) + extra;
  return unit.empty() ? number(value, significant) : fmt::format("{} {}", number(value, significant), unit);
}

ShownPair shown_beside(std::string_view metric, double value, double limit) {
  static constexpr int most_digits = 12;
  ShownPair shown;
  for (int extra = 0; extra <= most_digits; ++extra) {
    shown = {metric_text(metric, value, extra), metric_text(metric, limit, extra)};
    if (shown.value != shown.limit || value == limit) break;
  }
  return shown;
}

}  // namespace shakedown
