#include "reports/compare/differences.hpp"

#include <fmt/format.h>

#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/measure/conditions.hpp"

namespace shakedown {
namespace {

/// Both sides of a condition.
struct ComparedSides {
  std::string name;
  Value here;
  Value there;
  std::string unknown;  ///< which side doesn't tell; empty: both do

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

}  // namespace

std::vector<std::string> differences(const ComparisonRule& rule, const BaselineValue& row,
                                     const Subject& subject) {
  std::vector<std::string> found;
  const auto take = [&](const std::string& name, const auto& objection) {
    const ComparedSides both = sides(name, row, subject);
    const std::string said = both.unknown.empty() ? objection(both) : both.unknown;
    if (!said.empty()) found.push_back(said);
  };
  for (const std::string& name : rule.must_match) take(name, unequal);
  for (const ConditionLimit& within : rule.within)
    take(within.condition, [&](const ComparedSides& both) { return too_far(both, within.limit); });
  for (const ConditionLimit& least : rule.at_least)
    take(least.condition, [&](const ComparedSides& both) { return too_small(both, least.limit); });
  for (const ConditionLimit& scale : rule.scaled_by)
    take(scale.condition, [](const ComparedSides&) { return std::string(); });
  if (row.status == "unit-suspect" || row.status == "inconsistent")
    found.push_back(fmt::format("the published value is marked {}", row.status));
  return found;
}

std::string held_conditions(const ComparisonRule& rule, const BaselineValue& row) {
  std::vector<std::string> said;
  if (!rule.must_match.empty()) said.push_back("equal: " + joined(rule.must_match, ", "));
  for (const ConditionLimit& within : rule.within)
    said.push_back(fmt::format("{} within {}", within.condition, share_text(within.limit)));
  for (const ConditionLimit& least : rule.at_least)
    said.push_back(fmt::format("{} at least {:g}", least.condition, least.limit));
  if (row.runs == "unknown")
    said.emplace_back("number of runs there unknown");
  else if (row.runs != "1")
    said.push_back(fmt::format("there: {}, {} runs", row.score_rule, row.runs));
  return joined(said, "; ");
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
