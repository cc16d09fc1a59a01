#include "reports/measure/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "reports/measure/metric_kind.hpp"

namespace shakedown {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array<Entry, 5> metrics = {{{"time_s", "time"},
                                           {"wall_time_s", "time from start to end"},
                                           {"efficiency_rpeak", "efficiency over theoretical peak"},
                                           {"reliability", "attempts that succeeded"},
                                           {"validity", "validity"}}};

bool is_ratio(std::string_view metric) {
  return metric.starts_with("efficiency_") || metric.ends_with("_ratio") || metric == "reliability";
}

/// "6.9 s", "4 min 52 s", "2 h 05 min".
std::string spoken_time(double seconds) {
  if (!(seconds >= 60) || !std::isfinite(seconds)) return duration_text(seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

/// Whether two figures differ where both are cut to the digits of the larger: "1000.0 GFLOP/s" and
/// "1.000 TFLOP/s" are written differently, and read the same.
bool read_apart(double a, double b, int significant) {
  const double larger = std::max(std::abs(a), std::abs(b));
  if (!(larger > 0) || !std::isfinite(larger)) return a != b;
  const double scale = std::pow(10.0, std::floor(std::log10(larger)));
  return fmt::format("{:.{}f}", a / scale, significant - 1) !=
         fmt::format("{:.{}f}", b / scale, significant - 1);
}

}  // namespace

std::string range_text(std::string_view metric, double low, double high) {
  if (metric_unit(metric) == "min")
    return fmt::format("{} to {}", spoken_time(low * 60), spoken_time(high * 60));
  if (metric_unit(metric) == "s") return fmt::format("{} to {}", spoken_time(low), spoken_time(high));
  std::string first = metric_text(metric, low);
  const std::string last = metric_text(metric, high);
  const size_t at = last.find(' ');
  const std::string unit = at == std::string::npos ? "" : last.substr(at);
  if (!unit.empty() && first.ends_with(unit)) first.resize(first.size() - unit.size());
  return fmt::format("{} to {}", first, last);
}

std::string metric_title(std::string_view metric) {
  const std::string_view plain = plain_metric(metric);
  const std::string_view place = metric.substr(plain.size());  // "_at_max_bytes"
  std::string title;
  if (const auto* named = std::ranges::find(metrics, plain, &Entry::first); named != metrics.end())
    title = named->second;
  else if (const MetricFact* fact = metric_fact(plain); fact != nullptr && !fact->title.empty())
    title = fact->title;
  else
    title = plain.substr(0, plain.size() - unit_ending(plain).size());
  title += place;
  std::replace(title.begin(), title.end(), '_', ' ');
  if (title.starts_with("ior ")) title.replace(0, 3, "IOR");
  return title;
}

std::string metric_unit(std::string_view metric) {
  const auto kind = metric_kind(metric);
  return std::string(kind ? kind->unit : "");
}

std::string metric_text(std::string_view metric, double value, int extra) {
  if (is_ratio(metric)) return percent_text(value, 1 + extra);
  const std::string unit = metric_unit(metric);
  if (unit == "GFLOP/s") return flops_text(value, 4 + extra);
  if (unit == "MB/s") return fmt::format("{} GB/s", number(value / 1000, 3 + extra));
  if (unit == "min") return fmt::format("{} ({} min)", spoken_time(value * 60), number(value, 4 + extra));
  if (unit == "s" && value >= 60)
    return fmt::format("{} ({} s)", spoken_time(value), number(value, 4 + extra));
  const int significant = (unit == "%" ? 2 : 4) + extra;
  return unit.empty() ? number(value, significant) : fmt::format("{} {}", number(value, significant), unit);
}

ShownPair shown_beside(std::string_view metric, double value, double limit) {
  static constexpr int most_digits = 40;  // tell any two doubles apart, shares of 1e-9 too
  const int usual_digits = metric_unit(metric) == "%" ? 2 : 4;
  ShownPair shown;
  for (int extra = 0; extra <= most_digits; ++extra) {
    shown = {metric_text(metric, value, extra), metric_text(metric, limit, extra)};
    const bool apart =
        shown.value != shown.limit && (is_ratio(metric) || read_apart(value, limit, usual_digits + extra));
    if (value == limit || apart) break;
  }
  return shown;
}

int decimals_beside(std::span<const double> shares, double limit) {
  static constexpr int most_decimals = 14;
  const auto told_apart = [&](int decimals) {
    return std::ranges::all_of(shares, [&](double share) {
      const double size = std::abs(share);
      return size == std::abs(limit) ||
             percent_text(size, decimals) != percent_text(std::abs(limit), decimals);
    });
  };
  int decimals = 1;
  while (decimals < most_decimals && !told_apart(decimals)) ++decimals;
  return decimals;
}

std::string distance_text(double value, double limit) {
  static constexpr int most_decimals = 14;
  const double over = value / limit - 1;
  std::string text;
  for (int decimals = 1; decimals <= most_decimals; ++decimals) {
    text = percent_text(over, decimals);
    if (over == 0 || text.find_first_of("123456789") != std::string::npos) break;
  }
  return (over > 0 ? "+" : "") + text;
}

}  // namespace shakedown
