#include "reports/formats/prometheus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

struct UnitRow {
  std::string_view unit;  // as `metric_unit` names it
  std::string_view suffix;
  double factor = 1;
};

constexpr std::array<UnitRow, 9> units = {{{"GFLOP/s", "flops_per_second", 1e9},
                                           {"MB/s", "bytes_per_second", 1e6},
                                           {"GB/s", "bytes_per_second", 1e9},
                                           {"MiB/s", "bytes_per_second", kibi* kibi},
                                           {"GiB/s", "bytes_per_second", gibi},
                                           {"kIOPS", "operations_per_second", 1e3},
                                           {"s", "seconds", 1},
                                           {"min", "seconds", 60},
                                           {"us", "seconds", 1e-6}}};

std::string escaped_text(std::string_view text, bool label) {
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\\' || (label && c == '"'))
      (out += '\\') += c;
    else
      out += c;
  }
  return out;
}

std::string value_of(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

/// The family of that name, made where there is none yet.
MetricFamily& family(std::vector<MetricFamily>& all, const std::string& name, std::string_view help) {
  for (MetricFamily& each : all)
    if (each.name == name) return each;
  return all.emplace_back(MetricFamily{name, std::string(help), false, {}});
}

}  // namespace

BaseUnit base_unit(std::string_view metric) {
  const std::string unit = metric_unit(metric);
  const auto row =
      std::find_if(units.begin(), units.end(), [&](const UnitRow& each) { return each.unit == unit; });
  if (row == units.end()) return {"shakedown_measured_value", 1};
  return {fmt::format("shakedown_measured_{}", row->suffix), row->factor};
}

std::string prometheus_text(std::span<const MetricFamily> families) {
  std::string text;
  for (const MetricFamily& each : families) {
    if (each.samples.empty()) continue;
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", each.name, escaped_text(each.help, false), each.name,
                        each.counter ? "counter" : "gauge");
    for (const MetricSample& sample : each.samples) {
      std::string labels;
      for (const auto& [name, value] : sample.labels)
        labels += fmt::format("{}{}=\"{}\"", labels.empty() ? "" : ",", name, escaped_text(value, true));
      text += each.name + (labels.empty() ? "" : "{" + labels + "}") + " " + value_of(sample.value) + "\n";
    }
  }
  return text;
}

std::vector<MetricFamily> campaign_metrics(const CampaignRecord& campaign, const Judgement& judgement) {
  std::vector<MetricFamily> all;
  const std::pair<std::string, std::string> system{"system", campaign.system};
  const std::pair<std::string, std::string> kind{"kind", campaign.kind};
  family(all, "shakedown_campaign_start_timestamp_seconds", "When the newest campaign began.")
      .samples.push_back({{system, kind}, campaign.created_s});
  if (campaign.finished_s > 0)
    family(all, "shakedown_campaign_end_timestamp_seconds", "When its last attempt ended.")
        .samples.push_back({{system, kind}, campaign.finished_s});
  family(all, "shakedown_campaign_exit_code", "Its verdict: 0 accepted or passed, 1 failed, 3 undecided.")
      .samples.push_back({{system, kind}, static_cast<double>(judgement.exit_code)});
  for (const CriterionResult& criterion : judgement.criteria)
    family(all, "shakedown_criterion_passed", "1: the criterion passed; 0: it failed, or is undecided.")
        .samples.push_back({{system,
                             {"criterion", criterion.id},
                             {"suite", criterion.suite},
                             {"verdict", std::string(to_string(criterion.verdict))}},
                            criterion.verdict == Verdict::pass ? 1.0 : 0.0});
  for (const SuiteResult& result : judgement.suite_results) {
    if (!result.measured) continue;
    const BaseUnit unit = base_unit(result.metric);
    family(all, unit.name, measured_help)
        .samples.push_back(
            {{system, {"case", result.case_id}, {"suite", result.suite}, {"metric", result.metric}},
             *result.measured * unit.factor});
  }
  return all;
}

Result<void> write_metrics(const fs::path& file, std::span<const MetricFamily> metrics) {
  return write_named_file(file, prometheus_text(metrics));
}

}  // namespace shakedown
