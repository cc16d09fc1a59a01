#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/criteria.hpp"

namespace shakedown {
namespace {

/// The published value that a clause names as baseline/value.
Result<const BaselineValue*> value_named(const Criterion& clause, std::string_view name,
                                         std::span<const Baseline> baselines) {
  const auto parts = split(clause.relative_to, '/');
  const std::string place = fmt::format("{}: criterion '{}'", name, clause.id);
  if (parts.size() != 2)
    return fail(place, fmt::format("'{}' names no value of a baseline", clause.relative_to),
                "write baseline/value, as `shakedown baseline show` lists them: sakuraone/hpl-rmax");
  const auto baseline = std::ranges::find(baselines, parts[0], &Baseline::name);
  if (baseline == baselines.end()) {
    std::vector<std::string> names;
    for (const Baseline& each : baselines) names.push_back(each.name);
    return fail(place, fmt::format("no baseline '{}'{}", parts[0], did_you_mean(parts[0], names)),
                fmt::format("baselines: {}", joined(names, ", ")));
  }
  const auto value = std::ranges::find(baseline->values, parts[1], &BaselineValue::id);
  if (value == baseline->values.end()) {
    std::vector<std::string> ids;
    for (const BaselineValue& each : baseline->values) ids.push_back(each.id);
    return fail(place, fmt::format("{} has no value '{}'{}", parts[0], parts[1], did_you_mean(parts[1], ids)),
                fmt::format("`shakedown baseline show {}` lists them", parts[0]));
  }
  if (value->suite != clause.suite || value->metric != clause.metric)
    return fail(place,
                fmt::format("{} is {} of {}, and the clause is on {} of {}", clause.relative_to,
                            value->metric, value->suite, clause.metric, clause.suite),
                "a limit comes from the same metric");
  if (value->status == "unit-suspect" || value->status == "inconsistent")
    return fail(place,
                fmt::format("{} can't carry a limit: its status is {}", clause.relative_to, value->status),
                value->note.empty() ? std::string("state a limit of your own") : value->note);
  return &*value;
}

std::string key(const char* name, const std::string& text) {
  return text.empty() ? std::string() : fmt::format("{} = {}\n", name, toml_quoted(text));
}

std::string key(const char* name, const std::optional<int>& count) {
  return count ? fmt::format("{} = {}\n", name, *count) : std::string();
}

std::string idle_toml(const char* name, const std::optional<IdleLimit>& limit) {
  return limit ? fmt::format("\n[idle.{}]\nlimit = {}\nreason = {}\n", name, limit->limit,
                             toml_quoted(limit->reason))
               : std::string();
}

std::string clause_toml(const Criterion& clause) {
  std::string text = "\n[[criteria]]\n";
  text += key("id", clause.id) + key("title", clause.title) + key("suite", clause.suite) +
          key("metric", clause.metric) + key("direction", clause.direction);
  if (clause.limit) text += fmt::format("limit = {}\n", *clause.limit);
  text += key("limit_source", clause.limit_source) + key("aggregation", clause.aggregation) +
          key("severity", clause.severity) + (clause.if_planned ? "if_planned = true\n" : "") +
          key("severity_without_reference", clause.severity_without_reference) +
          key("approver", clause.approver);
  if (clause.each_node) text += fmt::format("each_node = {}\n", *clause.each_node);
  text += key("nodes_required", clause.nodes_required) + key("exclusions_max", clause.exclusions_max) +
          key("attempts_max", clause.attempts_max);
  return text;
}

}  // namespace

Result<std::string> frozen_criteria(std::string_view text, std::string_view name,
                                    std::span<const Baseline> baselines) {
  auto criteria = read_criteria(text, name);
  if (!criteria) return pass_on(criteria);
  std::string frozen = key("title", criteria->title);
  frozen += idle_toml("steal", criteria->steal) + idle_toml("load", criteria->load) +
            idle_toml("gemm_spread", criteria->gemm_spread);
  for (Criterion& clause : criteria->criteria) {
    if (!clause.relative_to.empty()) {
      const auto value = value_named(clause, name, baselines);
      if (!value) return pass_on(value);
      clause.limit = clause.factor * (*value)->value;
      clause.limit_source +=
          fmt::format("{}{} x {} {} = {} {} ({}, {})", clause.limit_source.empty() ? "" : "; ", clause.factor,
                      number((*value)->value, 6), (*value)->unit, number(*clause.limit, 6), (*value)->unit,
                      clause.relative_to, (*value)->source);
    }
    frozen += clause_toml(clause);
  }
  return frozen;
}

}  // namespace shakedown
