#include "reports/measure/metric_kind.hpp"

#include <algorithm>
#include <array>

namespace shakedown {
namespace {

constexpr auto higher = Better::higher;
constexpr auto lower = Better::lower;
constexpr std::optional<Better> neither = std::nullopt;

struct Row {
  std::string_view key;
  MetricKind kind;
};

/// Keys that their ending does not explain.
constexpr std::array kind_names = {
    Row{"score", {"", higher}},
    Row{"extended_score", {"", higher}},
    Row{"reliability", {"", higher}},
    Row{"messages_s", {"/s", higher}},
    Row{"million_ops_s", {"million/s", higher}},
    Row{"overlap_pct", {"%", higher}},
    Row{"compute_us", {"us", neither}},   // OSU: the work that it lays beside a collective, of a given length
    Row{"total_time_s", {"s", neither}},  // HPCG: it runs as long as it is told
    Row{"residual", {"", neither}},       // passed or not
    Row{"unknowns", {"", neither}},       // sizes
    Row{"nonzeros", {"", neither}},
    Row{"wrong", {"", neither}},  // errors, which make a result invalid
    Row{"wrong_elements", {"", neither}},
};

/// Beginnings: of an efficiency, which every key of that kind shares, and of a training's quality, which is
/// reached or not.
constexpr std::array beginnings = {
    Row{"efficiency_", {"", higher}},
    Row{"final_", {"", neither}},
    Row{"target_", {"", neither}},
};

/// Endings, the longer first of two of which one ends the other.
constexpr std::array endings = {
    Row{"_gflops_per_gpu", {"GFLOP/s", higher}},
    Row{"_gflops", {"GFLOP/s", higher}},
    Row{"_tib_s", {"TiB/s", higher}},
    Row{"_gib_s", {"GiB/s", higher}},
    Row{"_mib_s", {"MiB/s", higher}},
    Row{"_kib_s", {"KiB/s", higher}},
    Row{"_tb_s", {"TB/s", higher}},
    Row{"_gb_s", {"GB/s", higher}},
    Row{"_mb_s", {"MB/s", higher}},
    Row{"_kb_s", {"kB/s", higher}},
    Row{"_b_s", {"B/s", higher}},
    Row{"_per_s_per_gpu", {"", higher}},
    Row{"_per_s", {"/s", higher}},
    Row{"_s", {"s", lower}},
    Row{"_ms", {"ms", lower}},
    Row{"_us", {"us", lower}},
    Row{"_ns", {"ns", lower}},
    Row{"_min", {"min", lower}},
    Row{"_kiops", {"kIOPS", higher}},
    Row{"_iops", {"IOPS", higher}},
    Row{"_gb", {"GB", neither}},
    Row{"_pct", {"%", neither}},
};

/// Phases of IO500 and their like write for a set time, and read back whatever that was.
bool is_phase_time(std::string_view metric) {
  static constexpr std::array<std::string_view, 4> phases = {"ior_", "mdtest_", "mdworkbench_", "find_"};
  return metric.ends_with("_time_s") &&
         std::ranges::any_of(phases, [&](auto phase) { return metric.starts_with(phase); });
}

}  // namespace

std::string_view plain_metric(std::string_view metric) {
  metric = metric.substr(0, metric.find("_trial_"));
  for (const std::string_view place : {"_at_min_bytes", "_at_max_bytes"})
    if (metric.ends_with(place)) metric.remove_suffix(place.size());
  return metric;
}

std::optional<MetricKind> metric_kind(std::string_view metric) {
  metric = plain_metric(metric);
  for (const Row& row : kind_names)
    if (metric == row.key) return row.kind;
  for (const Row& row : beginnings)
    if (metric.starts_with(row.key)) return row.kind;
  if (is_phase_time(metric)) return MetricKind{"s", neither};
  for (const Row& row : endings)
    if (metric.ends_with(row.key)) return row.kind;
  return std::nullopt;
}

std::string_view unit_ending(std::string_view metric) {
  for (const Row& row : endings)
    if (metric.ends_with(row.key)) return row.kind.unit.empty() ? std::string_view() : row.key;
  return {};
}

std::optional<Better> direction_of(std::string_view metric, std::string_view unit) {
  if (unit.empty()) {
    const auto kind = metric_kind(metric);
    return kind ? kind->better : std::nullopt;
  }
  for (const Row& row : endings)
    if (row.kind.unit == unit) return row.kind.better;
  return std::nullopt;
}

}  // namespace shakedown
