#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/judge/judgement.hpp"

namespace shakedown {

/// One sample of a metric.
struct MetricSample {
  std::vector<std::pair<std::string, std::string>> labels;
  double value = 0;
};

/// A metric of Prometheus with its samples. Names end in their base unit; counters in `_total`.
struct MetricFamily {
  std::string name;  ///< "shakedown_check_duration_seconds"
  std::string help;
  bool counter = false;  ///< else a gauge
  std::vector<MetricSample> samples;
};

/// The families in the text exposition format, without those that have no samples.
///
/// Source: Prometheus, "Exposition formats" (text format 0.0.4), "Metric and label naming".
std::string prometheus_text(std::span<const MetricFamily> families);

/// Writes them so that a collector sees all of the old or all of the new.
Result<void> write_metrics(const std::filesystem::path& file, std::span<const MetricFamily> metrics);

/// What a campaign measured and how it was judged.
std::vector<MetricFamily> campaign_metrics(const CampaignRecord& campaign, const Judgement& judgement);

/// A value in Prometheus' base units: its metric's name ("shakedown_measured_flops_per_second") and the
/// factor from ours.
struct BaseUnit {
  std::string name;
  double factor = 1;
};
BaseUnit base_unit(std::string_view metric);

/// The help of metrics of that name, the same wherever they come from: a collector that reads two files takes
/// no two.
inline constexpr std::string_view measured_help =
    "What was measured last: of a case the median, of a series of checks the value of its last check.";

}  // namespace shakedown
