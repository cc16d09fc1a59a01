#include "reports/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/conditions.hpp"
#include "reports/measurement.hpp"
#include "reports/statistics.hpp"

namespace shakedown {
namespace {

/// One side's case and what is known of it.
struct Subject {
  const CampaignRecord& campaign;
  const CaseRecord& record;
  const Comparability& comparability;

  [[nodiscard]] std::optional<Value> condition(std::string_view name) const {
    return condition_of(name, campaign, record, comparability);
  }
};

/// What is wrong with one condition, or nothing.
using Objection = std::optional<std::string>;

/// Both sides of a condition, or what keeps it from being known.
struct Sides {
  std::optional<Value> here;
  const Value* there = nullptr;

  [[nodiscard]] Objection unknown(std::string_view name) const {
    if (there == nullptr) return fmt::format("{} not stated there", name);
    if (!here) return fmt::format("{} there, not known here", condition_text(name, *there));
    return std::nullopt;
  }
  [[nodiscard]] std::string both(std::string_view name) const {
    return fmt::format("{} there, {} here", condition_text(name, *there), bare_condition_text(name, *here));
  }
};

Sides sides(std::string_view name, const BaselineValue& row, const Subject& subject) {
  return {subject.condition(name), find_parameter(row.conditions, name)};
}

Objection unequal(std::string_view name, const BaselineValue& row, const Subject& subject) {
  const Sides found = sides(name, row, subject);
  if (auto unknown = found.unknown(name)) return unknown;
  if (same_condition(name, *found.here, *found.there)) return std::nullopt;
  return found.both(name);
}

Objection too_far(const ConditionLimit& within, const BaselineValue& row, const Subject& subject) {
  const Sides found = sides(within.condition, row, subject);
  if (auto unknown = found.unknown(within.condition)) return unknown;
  const double there = value_number(*found.there);
  if (std::abs(value_number(*found.here) - there) <= within.limit * std::abs(there)) return std::nullopt;
  return fmt::format("{}, more than {} apart", found.both(within.condition), percent_text(within.limit, 0));
}

Objection too_small(const ConditionLimit& least, const BaselineValue& row, const Subject& subject) {
  const Sides found = sides(least.condition, row, subject);
  if (auto unknown = found.unknown(least.condition)) return unknown;
  if (value_number(*found.there) >= least.limit && value_number(*found.here) >= least.limit)
    return std::nullopt;
  return fmt::format("{}, below {:g}", found.both(least.condition), least.limit);
}

/// A published value that contradicts itself is no measure.
Objection suspect(const BaselineValue& row) {
  if (row.status != "unit-suspect" && row.status != "inconsistent") return std::nullopt;
  return fmt::format("the published value is marked {}", row.status);
}

/// The conditions that don't hold, as sentences; empty: all hold.
std::vector<std::string> differences(const ComparisonRule& rule, const BaselineValue& row,
                                     const Subject& subject) {
  std::vector<std::string> found;
  const auto take = [&](Objection objection) {
    if (objection) found.push_back(std::move(*objection));
  };
  for (const std::string& name : rule.must_match) take(unequal(name, row, subject));
  for (const ConditionLimit& within : rule.within) take(too_far(within, row, subject));
  for (const ConditionLimit& least : rule.at_least) take(too_small(least, row, subject));
  for (const ConditionLimit& scale : rule.scaled_by)
    take(sides(scale.condition, row, subject).unknown(scale.condition));
  take(suspect(row));
  return found;
}

/// What all hold, and how many runs stand behind the published value where it isn't one.
std::string held_conditions(const ComparisonRule& rule, const BaselineValue& row) {
  std::vector<std::string> said;
  if (!rule.must_match.empty()) said.push_back("equal: " + joined(rule.must_match, ", "));
  for (const ConditionLimit& within : rule.within)
    said.push_back(fmt::format("{} within {}", within.condition, percent_text(within.limit, 0)));
  for (const ConditionLimit& least : rule.at_least)
    said.push_back(fmt::format("{} at least {:g}", least.condition, least.limit));
  if (row.runs == "unknown")
    said.emplace_back("number of runs there unknown");
  else if (row.runs != "1")
    said.push_back(fmt::format("there: {}, {} runs", row.score_rule, row.runs));
  return joined(said, "; ");
}

/// The published value carried to this case by the rule's model; both sides of its conditions are known.
double scaled(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject) {
  double value = row.value;
  for (const ConditionLimit& scale : rule.scaled_by) {
    const Sides found = sides(scale.condition, row, subject);
    value *= std::pow(value_number(*found.here) / value_number(*found.there), scale.limit);
  }
  return value;
}

Comparison blank(const ComparisonRule& rule, const CaseRecord& record) {
  Comparison comparison;
  comparison.case_id = record.planned.id;
  comparison.suite = rule.suite;
  comparison.metric = rule.metric;
  comparison.normalisation = rule.normalisation;
  comparison.condition = rule.never;
  return comparison;
}

/// By how much the rule's model would have to carry the row to this case, as a logarithm; 0 where it has no
/// model or a side is not known.
double distance(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject) {
  double sum = 0;
  for (const ConditionLimit& scale : rule.scaled_by) {
    const Sides found = sides(scale.condition, row, subject);
    if (found.unknown(scale.condition)) continue;
    const double ratio = value_number(*found.here) / value_number(*found.there);
    if (ratio > 0) sum += std::abs(std::log(ratio) * scale.limit);
  }
  return sum;
}

/// The row that the case is nearest to: fewest conditions that differ, then least to be scaled, then the
/// first.
struct Nearest {
  const BaselineValue* row = nullptr;
  std::vector<std::string> differences;
  double distance = 0;
};

std::optional<Nearest> nearest(const ComparisonRule& rule, const Baseline& baseline, const Subject& subject) {
  std::optional<Nearest> best;
  for (const BaselineValue* row : baseline.rows(rule.suite, rule.metric)) {
    Nearest found{row, differences(rule, *row, subject), distance(rule, *row, subject)};
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
    comparison.baseline = scaled(rule, row, subject);
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
