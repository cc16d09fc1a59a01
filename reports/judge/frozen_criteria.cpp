#include "reports/judge/frozen_criteria.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/measure/metric_units.hpp"

namespace shakedown {
namespace {

/// The baseline that a criterion of the file `name` refers to: a shipped one, or a file relative to it.
Result<Baseline> baseline_of(const std::string& wanted, std::string_view name,
                             std::span<const Baseline> baselines) {
  if (wanted.ends_with(".toml")) return read_baseline(std::filesystem::path(name).parent_path() / wanted);
  const auto shipped = std::ranges::find(baselines, wanted, &Baseline::name);
  if (shipped != baselines.end()) return *shipped;
  std::vector<std::string> names;
  for (const Baseline& each : baselines) names.push_back(each.name);
  return fail("", fmt::format("no baseline '{}'{}", wanted, did_you_mean(wanted, names)),
              fmt::format("baselines: {}; or a file of your own, my.toml/value", joined(names, ", ")));
}

/// The published value that a criterion names as baseline/value.
Result<BaselineValue> value_named(const Criterion& criterion, std::string_view name,
                                  std::span<const Baseline> baselines) {
  const std::string place = fmt::format("{}: criterion '{}'", name, criterion.id);
  const size_t slash = criterion.relative_to.rfind('/');
  const std::string wanted = criterion.relative_to.substr(0, slash);
  const bool file = wanted.ends_with(".toml");
  if (slash == std::string::npos || (!file && wanted.find('/') != std::string::npos))
    return fail(place, fmt::format("'{}' names no value of a baseline", criterion.relative_to),
                "write baseline/value, as `shakedown baseline show` lists them: sakuraone/hpl-rmax");
  const std::string id = criterion.relative_to.substr(slash + 1);
  const auto baseline = baseline_of(wanted, name, baselines);
  if (!baseline)
    return fail(file ? baseline.error().where : place, baseline.error().what, baseline.error().hint);
  const auto value = std::ranges::find(baseline->values, id, &BaselineValue::id);
  if (value == baseline->values.end()) {
    std::vector<std::string> ids;
    for (const BaselineValue& each : baseline->values) ids.push_back(each.id);
    return fail(place, fmt::format("{} has no value '{}'{}", wanted, id, did_you_mean(id, ids)),
                fmt::format("`shakedown baseline show {}` lists them", wanted));
  }
  if (value->suite != criterion.suite || value->metric != criterion.metric)
    return fail(place,
                fmt::format("{} is {} of {}, and the criterion is on {} of {}", criterion.relative_to,
                            value->metric, value->suite, criterion.metric, criterion.suite),
                "a limit comes from the same metric");
  if (is_doubtful(value->status))
    return fail(place,
                fmt::format("{} can't carry a limit: its status is {}", criterion.relative_to,
                            to_string(value->status)),
                value->note.empty() ? std::string("state a limit of your own") : value->note);
  return *value;
}

std::string key(const char* name, std::string_view text) {
  return text.empty() ? std::string() : fmt::format("{} = {}\n", name, toml_quoted(text));
}

std::string key(const char* name, const std::optional<int>& count) {
  return count ? fmt::format("{} = {}\n", name, *count) : std::string();
}

std::string disturbance_toml(const char* name, const std::optional<DisturbanceLimit>& limit) {
  return limit ? fmt::format("\n[disturbance.{}]\nlimit = {}\nreason = {}\n", name, limit->limit,
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

std::string references_toml(const Criterion& criterion) {
  std::string text;
  if (criterion.contract)
    text += fmt::format("contract = {{ value = {}, source = {} }}\n", criterion.contract->value,
                        toml_quoted(criterion.contract->source));
  if (criterion.published) text += frozen_value_toml("published", *criterion.published);
  if (criterion.last_accepted) text += frozen_value_toml("last_accepted", *criterion.last_accepted);
  text += key("without_last_accepted", criterion.without_last_accepted);
  return text;
}

std::string criterion_toml(const Criterion& criterion) {
  std::string text = "\n[[criteria]]\n";
  text += key("id", criterion.id) + key("title", criterion.title) + key("suite", criterion.suite) +
          key("benchmark", criterion.benchmark) + key("metric", criterion.metric) +
          key("direction", criterion.metric == "validity" ? "" : to_string(criterion.direction));
  if (criterion.limit) {
    text += fmt::format("limit = {}\n", *criterion.limit) +
            key("limit_of", criterion.limit_of ? to_string(*criterion.limit_of) : "");
  } else if (!criterion.relative_to.empty()) {
    text += key("relative_to", criterion.relative_to) + fmt::format("factor = {}\n", criterion.factor);
  }
  text += key("limit_source", criterion.limit_source) + references_toml(criterion) +
          aggregation_toml(criterion.aggregation) + key("runs_min", criterion.runs_min) +
          key("severity", to_string(criterion.severity)) +
          (criterion.if_planned ? "if_planned = true\n" : "") + key("approver", criterion.approver);
  if (criterion.each_node) text += fmt::format("each_node = {}\n", *criterion.each_node);
  text += key("nodes", criterion.nodes) + key("nodes_required", criterion.nodes_required) +
          key("exclusions_max", criterion.exclusions_max) + key("attempts_max", criterion.attempts_max);
  return text;
}

/// "0.95 x 33950000 GFLOP/s = 32252500 GFLOP/s (sakuraone/hpl-rmax, Table 5, row ...)".
void take_part(Criterion& criterion, double whole, const std::string& unit, const std::string& from) {
  const std::string of = unit.empty() ? "" : " " + unit;
  criterion.limit = derived_value(criterion.factor * whole);
  criterion.limit_source +=
      fmt::format("{}{} x {}{} = {}{} ({})", criterion.limit_source.empty() ? "" : "; ", criterion.factor,
                  number(whole, 6), of, number(*criterion.limit, 6), of, from);
}

/// Its status, if it is not `ok`.
std::string remark(const BaselineValue& value) {
  return value.status == BaselineStatus::ok ? "" : fmt::format(", status {}", to_string(value.status));
}

/// Gives a relative criterion its limit, and every criterion what it is set beside.
Result<void> freeze(Criterion& criterion, std::string_view name, std::span<const Baseline> baselines,
                    const LastAccepted& last_accepted) {
  if (last_accepted && criterion.metric != "validity" && !criterion.last_accepted) {
    auto accepted = last_accepted(criterion);
    if (accepted) {
      criterion.last_accepted = std::move(accepted->value);
      if (criterion.relative_kind() == ReferenceKind::last_accepted)
        criterion.without_last_accepted = std::move(accepted->lacking);
    } else if (criterion.relative_kind() == ReferenceKind::last_accepted) {
      return fail(fmt::format("{}: criterion '{}'", name, criterion.id), accepted.error().what,
                  accepted.error().hint);
    }
  }
  if (criterion.relative_to.empty()) return {};
  if (criterion.relative_kind() == ReferenceKind::contract) {
    const ContractValue contract = criterion.contract.value_or(ContractValue());
    take_part(criterion, contract.value, "", contract.source);
    criterion.limit_of = ReferenceKind::contract;
  } else if (criterion.relative_kind() == ReferenceKind::last_accepted) {
    if (!criterion.last_accepted) return {};
    const BaselineValue& accepted = *criterion.last_accepted;
    take_part(criterion, accepted.value, accepted.unit, fmt::format("{}, {}", accepted.id, accepted.source));
    criterion.limit_of = ReferenceKind::last_accepted;
  } else {
    const auto value = value_named(criterion, name, baselines);
    if (!value) return failure_of(value);
    criterion.published = *value;
    criterion.published->id = criterion.relative_to;
    take_part(criterion, criterion.published->value, criterion.published->unit,
              fmt::format("{}, {}{}", criterion.relative_to, criterion.published->source,
                          remark(*criterion.published)));
    criterion.limit_of = ReferenceKind::published;
  }
  return {};
}

}  // namespace

Result<std::string> frozen_criteria(std::string_view text, std::string_view name,
                                    std::span<const Baseline> baselines, const LastAccepted& last_accepted) {
  auto criteria = read_criteria(text, name);
  if (!criteria) return failure_of(criteria);
  std::string frozen = key("title", criteria->title);
  frozen += disturbance_toml("steal", criteria->steal) + disturbance_toml("load", criteria->load) +
            disturbance_toml("gemm_spread", criteria->gemm_spread);
  for (Criterion& criterion : criteria->criteria) {
    if (auto done = freeze(criterion, name, baselines, last_accepted); !done) return failure_of(done);
    frozen += criterion_toml(criterion);
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
