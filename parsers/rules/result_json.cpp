#include "parsers/rules/result_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

namespace shakedown {

std::string result_json(const ParsedResult& result, const Judged& judged, std::string_view file) {
  using Json = nlohmann::ordered_json;
  std::vector<std::string> warnings = result.warnings;
  Json document = {{"schema", "shakedown.result/1"}, {"file", file}, {"suite", result.suite}};
  document["implementation"] = result.implementation;
  if (!result.version.empty()) document["version"] = result.version;
  document["complete"] = result.complete;
  if (!result.reason.empty()) document["reason"] = result.reason;

  Json parameters = Json::object();
  for (const Parameter& parameter : result.parameters)
    std::visit([&](const auto& value) { parameters[parameter.name] = value; }, parameter.value);
  document["parameters"] = std::move(parameters);

  Json metrics = Json::object();
  for (const Metric& metric : result.metrics) {
    if (std::isfinite(metric.value))
      metrics[metric.name] = metric.value;
    else
      warnings.push_back(fmt::format("line {}: {} is no number", metric.line, metric.name));
  }
  document["metrics"] = std::move(metrics);

  document["validity"] = to_string(judged.validity);
  Json rules = Json::array();
  for (const RuleResult& rule : judged.rules) {
    Json entry = {{"id", rule.id},
                  {"severity", std::string(1, static_cast<char>(rule.severity))},
                  {"status", to_string(rule.status)},
                  {"title", rule.title},
                  {"value", rule.value}};
    if (rule.line != 0) entry["line"] = rule.line;
    entry["text"] = rule.text;
    rules.push_back(std::move(entry));
  }
  document["rules"] = std::move(rules);
  document["warnings"] = warnings;
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace shakedown
