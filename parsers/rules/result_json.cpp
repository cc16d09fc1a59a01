#include "parsers/rules/result_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;

Json phases_json(const ParsedResult& result) {
  Json phases = Json::object();
  for (const Phase& phase : result.phases) {
    Json& entry = phases[phase.name];
    if (std::isfinite(phase.value)) entry["value"] = phase.value;
    entry["unit"] = phase.unit;
    if (std::isfinite(phase.time_s)) entry["time_s"] = phase.time_s;
    entry["valid"] = phase.valid;
    entry["scored"] = phase.scored;
    entry["line"] = phase.line;
  }
  return phases;
}

/// Adds `rules`, and `other_rules` where some are not listed.
void add_rules(Json& document, std::span<const RuleResult> rules, ListedRules listed) {
  Json list = Json::array();
  int passed = 0;
  int not_applicable = 0;
  for (const RuleResult& rule : rules) {
    if (listed == ListedRules::noteworthy &&
        (rule.status == RuleStatus::pass || rule.status == RuleStatus::not_applicable)) {
      ++(rule.status == RuleStatus::pass ? passed : not_applicable);
      continue;
    }
    Json entry = {{"id", rule.id},
                  {"severity", std::string(1, static_cast<char>(rule.severity))},
                  {"status", to_string(rule.status)},
                  {"title", rule.title},
                  {"value", rule.value}};
    if (rule.line != 0) entry["line"] = rule.line;
    entry["text"] = rule.text;
    list.push_back(std::move(entry));
  }
  document["rules"] = std::move(list);
  if (listed == ListedRules::noteworthy)
    document["other_rules"] = {{to_string(RuleStatus::pass), passed},
                               {to_string(RuleStatus::not_applicable), not_applicable}};
}

}  // namespace

std::string result_json(const ParsedResult& result, const Judged& judged, std::string_view file,
                        ListedRules listed) {
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
  if (!result.phases.empty()) document["phases"] = phases_json(result);

  document["validity"] = to_string(judged.validity);
  add_rules(document, judged.rules, listed);
  document["warnings"] = warnings;
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string score_json(const SetScore& score, ListedRules listed) {
  Json document = {{"schema", score.schema}, {"suite", score.suite}, {"benchmark", score.benchmark}};
  document["name"] = score.name;
  if (score.score_min) document["score_min"] = *score.score_min;
  document["runs"] = score.runs;
  document["converged"] = score.converged;
  document["files"] = score.files;
  document["dropped"] = score.dropped;
  document["validity"] = to_string(score.validity);
  add_rules(document, score.rules, listed);
  document["warnings"] = score.warnings;
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace shakedown
