#include "reports/judge/frozen_criteria.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml_choice.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/judge/criteria.hpp"

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
                fmt::format("{} is {} of {}, and the criterion is on {} of {}", clause.relative_to,
                            value->metric, value->suite, clause.metric, clause.suite),
                "a limit comes from the same metric");
  if (is_doubtful(value->status))
    return fail(
        place,
        fmt::format("{} can't carry a limit: its status is {}", clause.relative_to, to_string(value->status)),
        value->note.empty() ? std::string("state a limit of your own") : value->note);
  return &*value;
}

std::string key(const char* name, std::string_view text) {
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

std::string aggregation_toml(const Aggregation& how) {
  std::string text = key("aggregation", to_string(how.kind));
  if (how.kind == Aggregation::Kind::lower_confidence)
    text += fmt::format("confidence = {}\n", how.confidence);
  if (how.kind == Aggregation::Kind::best_of)
    text += fmt::format("best_of = {{ k = {}, n = {} }}\n", how.k, how.n);
  return text;
}

std::string references_toml(const Criterion& clause) {
  std::string text;
  if (clause.contract)
    text += fmt::format("contract = {{ value = {}, source = {} }}\n", clause.contract->value,
                        toml_quoted(clause.contract->source));
  if (clause.published) text += frozen_value_toml("published", *clause.published);
  if (clause.last_accepted) text += frozen_value_toml("last_accepted", *clause.last_accepted);
  text += key("without_last_accepted", clause.without_last_accepted);
  return text;
}

std::string clause_toml(const Criterion& clause) {
  std::string text = "\n[[criteria]]\n";
  text += key("id", clause.id) + key("title", clause.title) + key("suite", clause.suite) +
          key("benchmark", clause.benchmark) + key("metric", clause.metric) +
          key("direction", clause.metric == "validity" ? "" : to_string(clause.direction));
  if (clause.limit) {
    text += fmt::format("limit = {}\n", *clause.limit) +
            key("limit_of", clause.limit_of ? to_string(*clause.limit_of) : "");
  } else if (!clause.relative_to.empty()) {
    text += key("relative_to", clause.relative_to) + fmt::format("factor = {}\n", clause.factor);
  }
  text += key("limit_source", clause.limit_source) + references_toml(clause) +
          aggregation_toml(clause.aggregation) + key("runs_min", clause.runs_min) +
          key("severity", to_string(clause.severity)) + (clause.if_planned ? "if_planned = true\n" : "") +
          key("severity_without_reference", to_string(clause.severity_without_reference)) +
          key("approver", clause.approver);
  if (clause.each_node) text += fmt::format("each_node = {}\n", *clause.each_node);
  text += key("nodes", clause.nodes) + key("nodes_required", clause.nodes_required) +
          key("exclusions_max", clause.exclusions_max) + key("attempts_max", clause.attempts_max);
  return text;
}

/// "0.95 x 33950000 GFLOP/s = 32252500 GFLOP/s (sakuraone/hpl-rmax, Table 5, row ...)".
void take_part(Criterion& clause, double whole, const std::string& unit, const std::string& from) {
  const std::string of = unit.empty() ? "" : " " + unit;
  clause.limit = clause.factor * whole;
  clause.limit_source += fmt::format("{}{} x {}{} = {}{} ({})", clause.limit_source.empty() ? "" : "; ",
                                     clause.factor, number(whole, 6), of, number(*clause.limit, 6), of, from);
}

/// Its status, where that says more than that nothing speaks against it.
std::string remark(const BaselineValue& value) {
  return value.status == BaselineStatus::ok ? "" : fmt::format(", status {}", to_string(value.status));
}

/// Gives a relative clause its limit, and every clause what it is set beside.
Result<void> freeze(Criterion& clause, std::string_view name, std::span<const Baseline> baselines,
                    const LastAccepted& last_accepted) {
  if (last_accepted && clause.metric != "validity" && !clause.last_accepted) {
    auto accepted = last_accepted(clause);
    if (accepted) {
      clause.last_accepted = std::move(accepted->value);
      if (clause.relative_kind() == ReferenceKind::last_accepted)
        clause.without_last_accepted = std::move(accepted->lacking);
    } else if (clause.relative_kind() == ReferenceKind::last_accepted) {
      return fail(fmt::format("{}: criterion '{}'", name, clause.id), accepted.error().what,
                  accepted.error().hint);
    }
  }
  if (clause.relative_to.empty()) return {};
  if (clause.relative_kind() == ReferenceKind::contract) {
    const ContractValue contract = clause.contract.value_or(ContractValue());
    take_part(clause, contract.value, "", contract.source);
    clause.limit_of = ReferenceKind::contract;
  } else if (clause.relative_kind() == ReferenceKind::last_accepted) {
    if (!clause.last_accepted) return {};
    const BaselineValue& accepted = *clause.last_accepted;
    take_part(clause, accepted.value, accepted.unit, fmt::format("{}, {}", accepted.id, accepted.source));
    clause.limit_of = ReferenceKind::last_accepted;
  } else {
    const auto value = value_named(clause, name, baselines);
    if (!value) return failure_of(value);
    clause.published = **value;
    clause.published->id = clause.relative_to;
    take_part(
        clause, clause.published->value, clause.published->unit,
        fmt::format("{}, {}{}", clause.relative_to, clause.published->source, remark(*clause.published)));
    clause.limit_of = ReferenceKind::published;
  }
  return {};
}

}  // namespace

Result<std::string> frozen_criteria(std::string_view text, std::string_view name,
                                    std::span<const Baseline> baselines, const LastAccepted& last_accepted) {
  auto criteria = read_criteria(text, name);
  if (!criteria) return failure_of(criteria);
  std::string frozen = key("title", criteria->title);
  frozen += idle_toml("steal", criteria->steal) + idle_toml("load", criteria->load) +
            idle_toml("gemm_spread", criteria->gemm_spread);
  for (Criterion& clause : criteria->criteria) {
    if (auto done = freeze(clause, name, baselines, last_accepted); !done) return failure_of(done);
    frozen += clause_toml(clause);
  }
  return frozen + waivers_toml(criteria->waivers);
}

namespace {

std::string value_toml(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return toml_quoted(*text);
  return value_text(value);
}

}  // namespace

BaselineValue frozen_value_from(TomlTable table, std::string_view suite, std::string_view metric) {
  BaselineValue value;
  value.id = table.required_text("id");
  value.suite = suite;
  value.metric = metric;
  value.value = table.required_real("value");
  value.unit = table.text("unit", "");
  value.source = table.required_text("source");
  value.status = one_of(table, "status", BaselineStatus::ok, baseline_statuses);
  value.runs = table.text("runs", "unknown");
  value.score_rule = table.text("score_rule", "unknown");
  value.conditions = conditions_from(table.table("conditions"));
  return value;
}

std::string frozen_value_toml(std::string_view key, const BaselineValue& value) {
  std::string conditions;
  for (const Parameter& each : value.conditions)
    conditions += fmt::format("{}{} = {}", conditions.empty() ? "" : ", ", toml_quoted(each.name),
                              value_toml(each.value));
  return fmt::format(
      "{} = {{ id = {}, value = {}, unit = {}, source = {}, status = {}, runs = {}, score_rule = {}, "
      "conditions = {{ {} }} }}\n",
      key, toml_quoted(value.id), value.value, toml_quoted(value.unit), toml_quoted(value.source),
      toml_quoted(to_string(value.status)), toml_quoted(value.runs), toml_quoted(value.score_rule),
      conditions);
}

}  // namespace shakedown
