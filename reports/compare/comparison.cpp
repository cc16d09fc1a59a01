#include "reports/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/compare/differences.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/statistics/median.hpp"

namespace shakedown {
namespace {

Comparison blank(const ComparisonRule& rule, const CaseRecord& record) {
  Comparison comparison;
  comparison.case_id = record.planned.id;
  comparison.suite = rule.suite;
  comparison.metric = rule.metric;
  comparison.normalisation = rule.normalisation;
  comparison.condition = rule.never;
  return comparison;
}

/// The row that the case is nearest to: fewest conditions that differ, then least to be scaled, then the
/// first.
struct Nearest {
  const BaselineValue* row = nullptr;
  std::vector<std::string> differences;
  double distance = 0;  ///< model_distance
};

std::optional<Nearest> nearest(const ComparisonRule& rule, const Baseline& baseline, const Subject& subject) {
  std::optional<Nearest> best;
  for (const BaselineValue* row : baseline.rows(rule.suite, rule.metric)) {
    Nearest found{row, differences(rule, *row, subject), model_distance(rule, *row, subject)};
    if (!best || std::pair(found.differences.size(), found.distance) <
                     std::pair(best->differences.size(), best->distance))
      best = std::move(found);
  }
  return best;
}

Comparison compared(const ComparisonRule& rule, const Nearest& near, const Subject& subject) {
  const BaselineValue& row = *near.row;
  Comparison comparison = blank(rule, subject.record);
  comparison.baseline_id = row.id;
  comparison.unit = row.unit;
  comparison.source = row.source;
  comparison.baseline = row.value;

  const auto results = counted_results(subject.record);
  const bool all_usable =
      !results.empty() && std::all_of(results.begin(), results.end(),
                                      [](const auto& counted) { return usable(*counted.result); });
  const Measurement measurement =
      measured(subject.campaign, subject.record, rule.metric, subject.comparability);
  if (all_usable && !measurement.points.empty()) comparison.measured = median(measurement.points);

  std::vector<std::string> against = near.differences;
  if (against.empty() && !comparison.measured)
    against.push_back(measurement.missing.empty() ? "no valid result here" : measurement.missing);
  comparison.condition = against.empty() ? held_conditions(rule, row) : joined(against, "; ");
  if (!against.empty()) return comparison;
  comparison.information = rule.information();
  comparison.comparable = !comparison.information;
  if (comparison.information) {
    comparison.baseline = scaled_value(rule, row, subject);
    comparison.condition =
        fmt::format("information, no criterion: scaled by a model; {}", comparison.condition);
  }
  if (*comparison.baseline != 0) comparison.ratio = *comparison.measured / *comparison.baseline;
  return comparison;
}

}  // namespace

std::vector<Comparison> comparisons(const CampaignRecord& campaign, const Baseline& baseline,
                                    const Comparability& comparability) {
  std::vector<Comparison> found;
  for (const CaseRecord& record : campaign.cases) {
    if (record.planned.confirms) continue;
    const Subject subject{campaign, record, comparability};
    for (const ComparisonRule& rule : comparability.rules) {
      if (rule.suite != record.planned.suite) continue;
      const auto near = nearest(rule, baseline, subject);
      if (!near) continue;
      if (!rule.never.empty()) {
        found.push_back(blank(rule, record));
        continue;
      }
      if (rule.information() && near->distance == 0) continue;  // nothing to scale: compared as it is
      Comparison comparison = compared(rule, *near, subject);
      if (comparison.information || !rule.information()) found.push_back(std::move(comparison));
    }
  }
  return found;
}

Comparison criterion_comparison(const CampaignRecord& campaign, const CaseRecord& record,
                                std::string_view metric, const Baseline& baseline,
                                const Comparability& comparability) {
  const ComparisonRule* rule = comparability.criterion_rule(record.planned.suite, metric);
  ComparisonRule none;
  none.suite = record.planned.suite;
  none.metric = metric;
  if (rule == nullptr) {
    none.never = fmt::format("no comparison of {} {} is defined", none.suite, metric);
    return blank(none, record);
  }
  if (!rule->never.empty()) return blank(*rule, record);
  if (rule->information()) {
    none.normalisation = rule->normalisation;
    none.never = fmt::format("{} {} is only scaled by a model, which is information, no criterion",
                             none.suite, metric);
    return blank(none, record);
  }
  const Subject subject{campaign, record, comparability};
  const auto near = nearest(*rule, baseline, subject);
  if (!near) {
    none.normalisation = rule->normalisation;
    none.never = fmt::format("{} holds no {} of {}", baseline.name, metric, none.suite);
    return blank(none, record);
  }
  return compared(*rule, *near, subject);
}

}  // namespace shakedown
