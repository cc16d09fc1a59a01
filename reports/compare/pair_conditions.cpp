#include "reports/compare/pair_conditions.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {

PairConditions::Told PairConditions::told_by(const LikeRuns& side, const std::string& name) const {
  Told told;
  for (const CaseRecord* record : side.cases) {
    const auto results = own_results(*record);
    if (std::ranges::none_of(results, [](const CountedResult& each) { return usable(*each.result); }))
      continue;
    const auto value = condition_of(name, side.campaign(), *record, table_);
    if (!value)
      told.unknown = true;
    else if (std::ranges::none_of(told.values,
                                  [&](const Value& known) { return same_condition(name, known, *value); }))
      told.values.push_back(*value);
  }
  return told;
}

const PairConditions::Both& PairConditions::told(const std::string& name) {
  const auto known = told_.find(name);
  if (known != told_.end()) return known->second;
  return told_.emplace(name, Both{told_by(before_, name), told_by(after_, name)}).first->second;
}

std::vector<std::string> PairConditions::broken(const ComparisonRule& rule) {
  std::vector<std::string> broken;
  const auto take = [&](const std::string& name, const auto& holds) {
    const auto& [before, after] = told(name);
    const bool known_nowhere = before.values.empty() && after.values.empty();
    if (known_nowhere && alike_) return;
    if (before.unknown || after.unknown || known_nowhere) {
      const std::string of_some = before.values.empty() || after.values.empty() ? "" : " of all runs";
      const char* side = before.unknown && after.unknown ? "before and after"
                         : before.unknown                ? "before"
                                                         : "after";
      broken.push_back(fmt::format("{} not known{} {}", name, of_some, side));
      return;
    }
    for (const Value& old : before.values)
      for (const Value& fresh : after.values)
        if (!holds(old, fresh)) {
          broken.push_back(fmt::format("{} before, {} after", condition_text(name, old),
                                       bare_condition_text(name, fresh)));
          return;
        }
  };
  for (const std::string& name : rule.must_match)
    take(name, [&](const Value& a, const Value& b) { return same_condition(name, a, b); });
  for (const ConditionLimit& within : rule.within)
    take(within.condition, [&](const Value& a, const Value& b) {
      return std::abs(value_number(b) - value_number(a)) <= within.limit * std::abs(value_number(a));
    });
  // How large both are is no difference between runs of the same thing.
  for (const ConditionLimit& least : rule.at_least)
    if (!alike_)
      take(least.condition, [&](const Value& a, const Value& b) {
        return value_number(a) >= least.limit && value_number(b) >= least.limit;
      });
  return broken;
}

}  // namespace shakedown
