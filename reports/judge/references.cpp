#include "reports/judge/references.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/compare/comparison.hpp"
#include "reports/judge/judged_criterion.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

/// What must be equal of two campaigns of one system where the table names no comparison of the metric.
constexpr std::array<std::string_view, 3> of_one_system = {"nodes", "implementation", "precision"};

/// Why a case may not be set beside a value of its own system; empty: it may.
std::string unlike_before(const BaselineValue& row, const MeasuredCase& record, const CriterionScene& scene) {
  for (const std::string_view name : of_one_system) {
    const Value* there = find_parameter(row.conditions, name);
    const auto here = condition_of(name, scene.campaign, record, scene.comparability);
    if (there == nullptr && !here) continue;  // neither has one
    if (there == nullptr || !here) return fmt::format("{} not stated {}", name, here ? "there" : "here");
    if (!same_condition(name, *here, *there))
      return fmt::format("{} there, {} here", condition_text(name, *there), bare_condition_text(name, *here));
  }
  return "";
}

/// Why a subject may not be set beside a value; empty: it may.
std::string unlike(const BaselineValue& row, bool same_system, SubjectCases subject,
                   const CriterionScene& scene) {
  Baseline single;
  single.name = row.id;
  single.values = {row};
  const bool named = scene.comparability.criterion_rule(row.suite, row.metric) != nullptr;
  for (const MeasuredCase* record : subject) {
    if (same_system && !named) {
      if (std::string why = unlike_before(row, *record, scene); !why.empty()) return why;
      continue;
    }
    const Comparison comparison =
        criterion_comparison(scene.campaign, *record, row.metric, single, scene.comparability);
    if (!comparison.comparable) return comparison.condition;
  }
  return "";
}

ReferenceResult beside(ReferenceKind kind, const BaselineValue& row, SubjectCases subject,
                       const CriterionScene& scene) {
  const bool same_system = kind == ReferenceKind::last_accepted;
  return {.kind = kind,
          .id = row.id,
          .value = row.value,
          .source = row.source,
          .status = same_system ? std::nullopt : std::optional(row.status),
          .ratio = std::nullopt,
          .unlike = unlike(row, same_system, subject, scene)};
}

}  // namespace

std::vector<ReferenceResult> references(const Criterion& criterion, SubjectCases subject,
                                        const CriterionScene& scene, std::optional<double> measured) {
  std::vector<ReferenceResult> all;
  if (criterion.contract)
    all.push_back({.kind = ReferenceKind::contract,
                   .id = "",
                   .value = criterion.contract->value,
                   .source = criterion.contract->source,
                   .status = std::nullopt,
                   .ratio = std::nullopt,
                   .unlike = ""});
  if (criterion.published)
    all.push_back(beside(ReferenceKind::published, *criterion.published, subject, scene));
  if (criterion.last_accepted)
    all.push_back(beside(ReferenceKind::last_accepted, *criterion.last_accepted, subject, scene));
  for (ReferenceResult& each : all)
    if (measured && each.unlike.empty() && each.value != 0) each.ratio = *measured / each.value;
  return all;
}

void apply_reference(CriterionResult& judged) {
  if (!judged.limit_of) return;
  const auto of = std::ranges::find(judged.references, *judged.limit_of, &ReferenceResult::kind);
  if (of == judged.references.end()) {
    judged.verdict = Verdict::not_comparable;
    judged.because = fmt::format("the limit is a part of a {} value, and which is not stated",
                                 to_string(*judged.limit_of));
    return;
  }
  if (of->unlike.empty()) return;
  judged.verdict = Verdict::not_comparable;
  judged.because = fmt::format("the limit is a part of {}: {}", of->id, of->unlike);
}

Result<AcceptedValue> accepted_value(const MeasuredCampaign& accepted, const Criterion& criterion,
                                     const Comparability& comparability) {
  Criterion bare = criterion;
  bare.limit.reset();
  bare.limit_of.reset();
  const auto judged = judged_criterion(bare, accepted, comparability, {});
  const auto with_value =
      std::ranges::count_if(judged, [](const CriterionResult& each) { return each.measured.has_value(); });
  if (with_value == 0) {
    AcceptedValue none;
    none.lacking = fmt::format("{} was accepted, and has no value for this criterion: {}", accepted.record.id,
                               judged.front().because);
    return none;
  }
  if (with_value > 1)
    return fail(criterion.id,
                fmt::format("{} cases of {} are judged by it, and its limit is a fraction of one value",
                            with_value, accepted.record.id),
                "select one with 'nodes', 'benchmark' or 'each_node'");
  const auto found =
      std::ranges::find_if(judged, [](const CriterionResult& each) { return each.measured.has_value(); });
  BaselineValue value;
  value.id = accepted.record.id;
  value.suite = criterion.suite;
  value.metric = criterion.metric;
  value.value = found->measured.value_or(0);
  value.unit = metric_unit(criterion.metric);
  value.source = fmt::format("{}, {}", found->case_id, found->aggregate);
  value.status = BaselineStatus::ok;
  value.runs = fmt::format("{}", found->n);
  value.score_rule = to_string(criterion.aggregation.kind);
  for (const MeasuredCase& record : accepted.cases) {
    if (record.planned.id != found->case_id) continue;
    for (const std::string& name : known_conditions())
      if (auto condition = condition_of(name, accepted, record, comparability))
        value.conditions.push_back({name, *std::move(condition)});
  }
  return AcceptedValue(std::move(value));
}

LastAccepted references_to(std::shared_ptr<const MeasuredCampaign> accepted, std::string declared,
                           Comparability comparability) {
  return [accepted = std::move(accepted), declared = std::move(declared),
          table = std::move(comparability)](const Criterion& criterion) -> Result<AcceptedValue> {
    auto found = accepted_value(*accepted, criterion, table);
    if (!found) return found;
    std::optional<BaselineValue>& value = found->value;
    if (value && !declared.empty()) value->source += ", " + declared;
    return found;
  };
}

}  // namespace shakedown
