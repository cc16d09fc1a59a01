#include "reports/measure/display.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "orchestrator/core/units.hpp"

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
std::string readable_time(double seconds) {
  if (!(seconds >= 60) || !std::isfinite(seconds)) return duration_text(seconds);
  const auto whole = std::llround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  const auto minutes = std::llround(seconds / 60);
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

/// Whether two values differ where both are cut to the digits of the larger: "1000.0 GFLOP/s" and
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
    return fmt::format("{} to {}", readable_time(low * 60), readable_time(high * 60));
  if (metric_unit(metric) == "s") return fmt::format("{} to {}", readable_time(low), readable_time(high));
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
  if (unit == "min") return fmt::format("{} ({} min)", readable_time(value * 60), number(value, 4 + extra));
  if (unit == "s" && value >= 60)
    return fmt::format("{} ({} s)", readable_time(value), number(value, 4 + extra));
  const int significant = (unit == "%" ? 2 : 4) + extra;
  return unit.empty() ? number(value, significant) : fmt::format("{} {}", number(value, significant), unit);
}

ShownPair shown_beside(std::string_view metric, double value, double limit) {
  static constexpr int most_digits = 40;  // distinguish any two doubles, shares of 1e-9 too
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
  const auto differ = [&](int decimals) {
    return std::ranges::all_of(shares, [&](double share) {
      const double size = std::abs(share);
      return size == std::abs(limit) ||
             percent_text(size, decimals) != percent_text(std::abs(limit), decimals);
    });
  };
  int decimals = 1;
  while (decimals < most_decimals && !differ(decimals)) ++decimals;
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

namespace {

constexpr auto higher = Better::higher;
constexpr std::optional<Better> neither = std::nullopt;

struct Ending {
  std::string_view key;
  MetricKind kind;
};

/// Endings, the longer first of two of which one ends the other.
constexpr std::array endings = {
    Ending{"_gflops_per_gpu", {"GFLOP/s", higher}},
    Ending{"_gflops", {"GFLOP/s", higher}},
    Ending{"_tib_s", {"TiB/s", higher}},
    Ending{"_gib_s", {"GiB/s", higher}},
    Ending{"_mib_s", {"MiB/s", higher}},
    Ending{"_kib_s", {"KiB/s", higher}},
    Ending{"_tb_s", {"TB/s", higher}},
    Ending{"_gb_s", {"GB/s", higher}},
    Ending{"_mb_s", {"MB/s", higher}},
    Ending{"_kb_s", {"kB/s", higher}},
    Ending{"_b_s", {"B/s", higher}},
    Ending{"_per_s_per_gpu", {"", higher}},
    Ending{"_per_s", {"/s", higher}},
    Ending{"_s", {"s", Better::lower}},
    Ending{"_ms", {"ms", Better::lower}},
    Ending{"_us", {"us", Better::lower}},
    Ending{"_ns", {"ns", Better::lower}},
    Ending{"_min", {"min", Better::lower}},
    Ending{"_kiops", {"kIOPS", higher}},
    Ending{"_iops", {"IOPS", higher}},
    Ending{"_gb", {"GB", neither}},
    Ending{"_pct", {"%", neither}},
};

}  // namespace

std::string_view plain_metric(std::string_view metric) {
  metric = metric.substr(0, metric.find("_trial_"));
  for (const std::string_view place : {"_at_min_bytes", "_at_max_bytes"})
    if (metric.ends_with(place)) metric.remove_suffix(place.size());
  return metric;
}

std::optional<MetricKind> metric_kind(std::string_view metric) {
  metric = plain_metric(metric);
  if (metric == "reliability" || metric.starts_with("efficiency_")) return MetricKind{"", higher};
  if (const MetricFact* fact = metric_fact(metric); fact != nullptr && fact->kind) return fact->kind;
  for (const Ending& row : endings)
    if (metric.ends_with(row.key)) return row.kind;
  return std::nullopt;
}

std::string_view unit_ending(std::string_view metric) {
  for (const Ending& row : endings)
    if (metric.ends_with(row.key)) return row.kind.unit.empty() ? std::string_view() : row.key;
  return {};
}

std::optional<Better> direction_of(std::string_view metric, std::string_view unit) {
  if (unit.empty()) {
    const auto kind = metric_kind(metric);
    return kind ? kind->better : std::nullopt;
  }
  for (const Ending& row : endings)
    if (row.kind.unit == unit) return row.kind.better;
  return std::nullopt;
}

}  // namespace shakedown
