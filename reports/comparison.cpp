#include "reports/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/measurement.hpp"
#include "reports/statistics.hpp"

namespace shakedown {
namespace {

/// A condition of this campaign's case; nothing where it is not known.
std::optional<Value> condition_here(std::string_view name, const CampaignRecord& campaign,
                                    const CaseRecord& record, const Comparability& comparability) {
  const Case& planned = record.planned;
  const bool gpus = comparability.on_gpus(planned.implementation);
  if (name == "nodes") return planned.nodes;
  if (name == "gpus") return gpus_used(planned, comparability);
  if (name == "device") return std::string(gpus ? "gpu" : "cpu");
  if (name == "implementation") return planned.implementation;
  if (name == "gpu") {
    if (!gpus) return std::string("none");
    const NodeGroup* group = node_group(campaign.inventory, planned);
    if (group == nullptr || group->gpus.empty()) return std::nullopt;
    return group->gpus.front().model;
  }
  if (name == "rpeak_clock") return gpus ? std::optional<Value>() : std::string("base");  // cpu_peak_gflops
  if (name == "precision") {
    for (const CountedResult& counted : counted_results(record))
      if (const Value* stated = find_parameter(counted.result->parsed.parameters, "precision"))
        return *stated;
    if (const Value* own = find_parameter(comparability.precisions, planned.suite)) return *own;
  }
  return std::nullopt;
}

bool is_count(std::string_view name) {
  return name == "nodes" || name == "gpus";
}

/// A condition of the baseline with its name: "98 nodes", "GPU NVIDIA H100", "precision fp64".
std::string named(std::string_view name, const Value& value) {
  if (name == "nodes") return value_text(value) + " nodes";
  if (name == "gpus") return value_text(value) + " GPUs";
  if (name == "rpeak_clock") return fmt::format("Rpeak at the {} clock", value_text(value));
  return fmt::format("{} {}", name == "gpu" ? "GPU" : name, value_text(value));
}

/// The same condition here, after its name was said: "1", "none", "reference".
std::string unnamed(std::string_view name, const Value& value) {
  return is_count(name) && value_number(value) == 0 ? "none" : value_text(value);
}

bool equal(const Value& a, const Value& b) {
  if (a.index() != 2 && b.index() != 2) return value_number(a) == value_number(b);
  return value_text(a) == value_text(b);
}

/// The conditions that differ, as sentences; empty: all hold.
std::vector<std::string> differences(const ComparisonRule& rule, const BaselineValue& row,
                                     const CampaignRecord& campaign, const CaseRecord& record,
                                     const Comparability& comparability) {
  std::vector<std::string> found;
  for (const std::string& name : rule.must_match) {
    const auto here = condition_here(name, campaign, record, comparability);
    const Value* there = find_parameter(row.conditions, name);
    if (there == nullptr)
      found.push_back(fmt::format("{} not stated there", name));
    else if (!here)
      found.push_back(fmt::format("{} there, not known here", named(name, *there)));
    else if (!equal(*here, *there))
      found.push_back(fmt::format("{} there, {} here", named(name, *there), unnamed(name, *here)));
  }
  return found;
}

Comparison compared(const ComparisonRule& rule, const BaselineValue& row, const CampaignRecord& campaign,
                    const CaseRecord& record, const Comparability& comparability) {
  Comparison comparison;
  comparison.case_id = record.planned.id;
  comparison.suite = rule.suite;
  comparison.metric = rule.metric;
  comparison.normalisation = rule.normalisation;
  comparison.baseline = row.value;
  comparison.unit = row.unit;
  comparison.source = row.source;

  const auto results = counted_results(record);
  const bool all_usable =
      !results.empty() && std::all_of(results.begin(), results.end(),
                                      [](const auto& counted) { return usable(*counted.result); });
  const Measurement measurement = measured(campaign, record, rule.metric, comparability);
  if (all_usable && !measurement.points.empty()) comparison.measured = median(measurement.points);

  std::vector<std::string> against = differences(rule, row, campaign, record, comparability);
  if (against.empty() && !comparison.measured)
    against.push_back(measurement.missing.empty() ? "no valid result here" : measurement.missing);
  comparison.comparable = against.empty();
  if (!comparison.comparable)
    comparison.condition = joined(against, "; ");
  else
    comparison.condition = fmt::format("equal: {}", joined(rule.must_match, ", "));
  if (comparison.comparable && row.value != 0) comparison.ratio = *comparison.measured / row.value;
  return comparison;
}

}  // namespace

std::vector<Comparison> comparisons(const CampaignRecord& campaign, const Baseline& baseline,
                                    const Comparability& comparability) {
  std::vector<Comparison> found;
  for (const CaseRecord& record : campaign.cases)
    for (const ComparisonRule& rule : comparability.rules) {
      if (rule.suite != record.planned.suite) continue;
      if (const BaselineValue* row = baseline.find(rule.suite, rule.metric))
        found.push_back(compared(rule, *row, campaign, record, comparability));
    }
  return found;
}

}  // namespace shakedown
