#include "reports/measure/metric_kind.hpp"

#include <algorithm>
#include <array>

namespace shakedown {
namespace {

constexpr auto higher = Better::higher;
constexpr auto lower = Better::lower;
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
    Ending{"_s", {"s", lower}},
    Ending{"_ms", {"ms", lower}},
    Ending{"_us", {"us", lower}},
    Ending{"_ns", {"ns", lower}},
    Ending{"_min", {"min", lower}},
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
