#include "reports/judge/frozen_value.hpp"

#include <fmt/format.h>

namespace shakedown {
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
  value.status = table.text("status", "ok");
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
      toml_quoted(value.status), toml_quoted(value.runs), toml_quoted(value.score_rule), conditions);
}

}  // namespace shakedown
