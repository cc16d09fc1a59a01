#include "reports/compare/comparison.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/set_score.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

Comparison blank(const ComparisonRule& rule, const MeasuredCase& record) {
  Comparison comparison;
  comparison.case_id = record.planned.id;
  comparison.suite = rule.suite;
  comparison.metric = rule.metric;
  comparison.normalisation = rule.normalisation;
  comparison.condition = rule.never;
  return comparison;
}

/// The row that the case is nearest to: fewest conditions that differ, then least to be scaled, then the
/// numbers among the conditions that differ least, then most of its other conditions alike, then the first.
struct Nearest {
  const BaselineValue* row = nullptr;
  std::vector<std::string> differences;
  double distance = 0;  ///< model_distance
  double apart = 0;     ///< sizes_apart
  int unlike = 0;       ///< conditions of the row that the case states differently
};

/// How many of a row's conditions, asked for or not, the case states differently.
int unlike_conditions(const BaselineValue& row, const Subject& subject) {
  const auto known = known_conditions();
  const auto differs = [&](const Parameter& there) {
    std::optional<Value> here;
    if (std::find(known.begin(), known.end(), there.name) != known.end())
      here = condition_of(there.name, subject.campaign, subject.record, subject.comparability);
    else if (const Value* planned = find_parameter(subject.record.planned.parameters, there.name))
      here = *planned;
    return here && !same_condition(there.name, *here, there.value);
  };
  return static_cast<int>(std::count_if(row.conditions.begin(), row.conditions.end(), differs));
}

/// By how much the numbers among a rule's conditions differ, as a sum of logarithms: 768 GPUs are nearer to
/// 1024 than 8 are.
double sizes_apart(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject) {
  double apart = 0;
  for (const std::string& name : rule.must_match) {
    const Value* there = find_parameter(row.conditions, name);
    const auto here = condition_of(name, subject.campaign, subject.record, subject.comparability);
    if (there == nullptr || !here || !std::holds_alternative<std::int64_t>(*there) ||
        !std::holds_alternative<std::int64_t>(*here))
      continue;
    const double ratio = value_number(*here) / value_number(*there);
    if (ratio > 0 && std::isfinite(ratio)) apart += std::abs(std::log(ratio));
  }
  return apart;
}

std::optional<Nearest> nearest(const ComparisonRule& rule, const Baseline& baseline, const Subject& subject) {
  std::optional<Nearest> best;
  for (const BaselineValue* row : baseline.rows(rule.suite, rule.metric)) {
    Nearest found{row, differences(rule, *row, subject), model_distance(rule, *row, subject),
                  sizes_apart(rule, *row, subject), unlike_conditions(*row, subject)};
    if (!best || std::tuple(found.differences.size(), found.distance, found.apart, found.unlike) <
                     std::tuple(best->differences.size(), best->distance, best->apart, best->unlike))
      best = std::move(found);
  }
  return best;
}

std::vector<ConditionSides> compared_conditions(const ComparisonRule& rule, const BaselineValue& row,
                                                const Subject& subject);

Comparison compared(const ComparisonRule& rule, const Nearest& near, const Subject& subject) {
  const BaselineValue& row = *near.row;
  Comparison comparison = blank(rule, subject.record);
  comparison.baseline_id = row.id;
  comparison.unit = row.unit;
  comparison.source = row.source;
  comparison.baseline = row.value;
  comparison.conditions = compared_conditions(rule, row, subject);

  const auto& results = subject.record.counted;
  const bool all_usable = !results.empty() && std::ranges::all_of(results, [](const CountedResult& counted) {
    return usable(*counted.result);
  });
  const Measurement measurement =
      measured(subject.campaign, subject.record, rule.metric, subject.comparability);
  if (const SetScore* set = score_of_case(subject.campaign.record, subject.record, rule.metric)) {
    comparison.measured = set->score_min;
    comparison.set = set->name.empty() ? set->benchmark : set->name;
    comparison.set_runs = set->runs;
  } else if (all_usable && !measurement.points.empty()) {
    comparison.measured = median(measurement.points);
  }

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

std::vector<Comparison> comparisons(const MeasuredCampaign& campaign, const Baseline& baseline,
                                    const Comparability& comparability) {
  std::vector<Comparison> found;
  for (const MeasuredCase& record : campaign.cases) {
    if (record.planned.confirms) continue;
    const Subject subject{campaign, record, comparability};
    std::set<std::string_view> as_it_is;  // metrics that need no model
    for (const ComparisonRule& rule : comparability.rules) {
      if (rule.suite != record.planned.suite) continue;
      const auto near = nearest(rule, baseline, subject);
      const bool beside_the_point = rule.information() || !rule.never.empty();
      if (!near || (beside_the_point && as_it_is.contains(rule.metric))) continue;
      if (!rule.never.empty()) {
        found.push_back(blank(rule, record));
        continue;
      }
      const bool same_size = near->distance == 0 && std::ranges::any_of(rule.scaled_by, [](const auto& each) {
                               return each.limit != 0;
                             });
      if (rule.information() && same_size) continue;  // nothing to scale: compared as it is, or not at all
      Comparison comparison = compared(rule, *near, subject);
      if (comparison.comparable) as_it_is.insert(rule.metric);
      if (comparison.information || !rule.information()) found.push_back(std::move(comparison));
    }
  }
  return found;
}

bool of_several_cases(const std::vector<Comparison>& comparisons) {
  std::map<std::string_view, std::string_view> first;  // case of each suite
  return std::ranges::any_of(comparisons, [&](const Comparison& each) {
    return first.try_emplace(each.suite, each.case_id).first->second != each.case_id;
  });
}

void mark_published_logs(const CampaignRecord& campaign, std::vector<Comparison>& comparisons) {
  constexpr int enough = 3;  // one value may be equal by chance, or one that a run is made to have
  if (!is_external(campaign)) return;
  std::map<std::string, std::pair<int, int>> suites;  // compared, equal
  for (const Comparison& each : comparisons)
    if (each.comparable && each.measured && each.baseline) {
      auto& [compared, equal] = suites[each.suite];
      ++compared;
      equal += *each.measured == *each.baseline ? 1 : 0;
    }
  for (Comparison& each : comparisons) {
    const auto found = suites.find(each.suite);
    if (!each.comparable || found == suites.end()) continue;
    const auto& [compared, equal] = found->second;
    if (equal < enough || equal < compared) continue;
    each.published_log = true;
  }
}

Comparison criterion_comparison(const MeasuredCampaign& campaign, const MeasuredCase& record,
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

namespace {

/// Both sides of a condition.
struct ComparedSides {
  std::string name;
  Value here;
  Value there;
  std::string unknown;  ///< the side that doesn't state it; empty: both do

  [[nodiscard]] double number_here() const { return value_number(here); }
  [[nodiscard]] double number_there() const { return value_number(there); }
  [[nodiscard]] std::string both() const {
    return fmt::format("{} there, {} here", condition_text(name, there), bare_condition_text(name, here));
  }
};

ComparedSides sides(const std::string& name, const BaselineValue& row, const Subject& subject) {
  ComparedSides found{name, {}, {}, ""};
  const Value* there = find_parameter(row.conditions, name);
  if (there == nullptr) {
    found.unknown = fmt::format("{} not stated there", name);
    return found;
  }
  found.there = *there;
  if (auto here = condition_of(name, subject.campaign, subject.record, subject.comparability))
    found.here = std::move(*here);
  else
    found.unknown = fmt::format("{} there, not known here", condition_text(name, *there));
  return found;
}

// What is wrong with one condition; empty: nothing.

std::string unequal(const ComparedSides& sides) {
  return same_condition(sides.name, sides.here, sides.there) ? "" : sides.both();
}

/// "5 %", "2.5 %".
std::string share_text(double share) {
  const bool whole = std::abs(share * 100 - std::round(share * 100)) < 1e-9;
  return percent_text(share, whole ? 0 : 1);
}

std::string too_far(const ComparedSides& sides, double share) {
  const double there = sides.number_there();
  if (std::abs(sides.number_here() - there) <= share * std::abs(there)) return "";
  return fmt::format("{}, more than {} apart", sides.both(), share_text(share));
}

std::string too_small(const ComparedSides& sides, double least) {
  if (sides.number_there() >= least && sides.number_here() >= least) return "";
  return fmt::format("{}, below {:g}", sides.both(), least);
}

/// Calls `take` with both sides of each condition of a rule, and with what is wrong with it; empty: nothing.
template <class Take>
void for_each_condition(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject,
                        Take take) {
  const auto visit = [&](const std::string& name, const auto& objection) {
    const ComparedSides both = sides(name, row, subject);
    take(both, both.unknown.empty() ? objection(both) : both.unknown);
  };
  for (const std::string& name : rule.must_match) visit(name, unequal);
  for (const ConditionLimit& within : rule.within)
    visit(within.condition, [&](const ComparedSides& both) { return too_far(both, within.limit); });
  for (const ConditionLimit& least : rule.at_least)
    visit(least.condition, [&](const ComparedSides& both) { return too_small(both, least.limit); });
  for (const ConditionLimit& scale : rule.scaled_by)
    visit(scale.condition, [](const ComparedSides&) { return std::string(); });
}

std::vector<ConditionSides> compared_conditions(const ComparisonRule& rule, const BaselineValue& row,
                                                const Subject& subject) {
  std::vector<ConditionSides> found;
  for_each_condition(rule, row, subject, [&](const ComparedSides& both, const std::string& why) {
    const bool stated = find_parameter(row.conditions, both.name) != nullptr;
    found.push_back({.name = both.name,
                     .there = stated ? bare_condition_text(both.name, both.there) : "",
                     .here = both.unknown.empty() ? bare_condition_text(both.name, both.here) : "",
                     .holds = why.empty()});
  });
  return found;
}

}  // namespace

std::vector<std::string> differences(const ComparisonRule& rule, const BaselineValue& row,
                                     const Subject& subject) {
  std::vector<std::string> found;
  for_each_condition(rule, row, subject, [&](const ComparedSides&, const std::string& why) {
    if (!why.empty()) found.push_back(why);
  });
  if (is_doubtful(row.status))
    found.push_back(fmt::format("the published value is marked {}", to_string(row.status)));
  return found;
}

std::string held_conditions(const ComparisonRule& rule, const BaselineValue& row) {
  std::vector<std::string> parts;
  if (!rule.must_match.empty()) parts.push_back("equal: " + joined(rule.must_match, ", "));
  for (const ConditionLimit& within : rule.within)
    parts.push_back(fmt::format("{} within {}", within.condition, share_text(within.limit)));
  for (const ConditionLimit& least : rule.at_least)
    parts.push_back(fmt::format("{} at least {:g}", least.condition, least.limit));
  if (row.runs == "unknown")
    parts.emplace_back("number of runs there unknown");
  else if (row.runs != "1")
    parts.push_back(fmt::format("there: {}, {} runs", row.score_rule, row.runs));
  return joined(parts, "; ");
}

double scaled_value(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject) {
  double value = row.value;
  for (const ConditionLimit& scale : rule.scaled_by) {
    const ComparedSides both = sides(scale.condition, row, subject);
    value *= std::pow(both.number_here() / both.number_there(), scale.limit);
  }
  return value;
}

double model_distance(const ComparisonRule& rule, const BaselineValue& row, const Subject& subject) {
  double sum = 0;
  for (const ConditionLimit& scale : rule.scaled_by) {
    const ComparedSides both = sides(scale.condition, row, subject);
    if (!both.unknown.empty()) continue;
    const double ratio = both.number_here() / both.number_there();
    if (ratio > 0) sum += std::abs(std::log(ratio) * scale.limit);
  }
  return sum;
}

}  // namespace shakedown
