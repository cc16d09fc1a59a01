#include "parsers/rules/result_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "orchestrator/core/json_text.hpp"

namespace shakedown {
namespace {

/// The members of an object: of several with one name the last one, at the place of the first.
template <class T>
class Members {
 public:
  explicit Members(std::size_t most) { members_.reserve(most); }
  void add(const T& member) {
    const auto known =
        std::ranges::find(members_, member.name, [](const T* each) { return std::string_view(each->name); });
    if (known == members_.end())
      members_.push_back(&member);
    else
      *known = &member;
  }
  [[nodiscard]] const std::vector<const T*>& all() const { return members_; }

 private:
  std::vector<const T*> members_;
};

void write_parameters(JsonText& json, const ParsedResult& result) {
  Members<Parameter> members(result.parameters.size());
  for (const Parameter& parameter : result.parameters) members.add(parameter);
  json.key("parameters");
  json.begin_object();
  for (const Parameter* each : members.all())
    std::visit([&](const auto& value) { json.member(each->name, value); }, each->value);
  json.end_object();
}

/// Returns what was left out, as warnings.
std::vector<std::string> write_metrics(JsonText& json, const ParsedResult& result) {
  std::vector<std::string> warnings;
  Members<Metric> members(result.metrics.size());
  for (const Metric& metric : result.metrics) {
    if (std::isfinite(metric.value))
      members.add(metric);
    else
      warnings.push_back(fmt::format("line {}: {} is no number", metric.line, metric.name));
  }
  json.key("metrics");
  json.begin_object();
  for (const Metric* each : members.all()) json.member(each->name, each->value);
  json.end_object();
  return warnings;
}

void write_phases(JsonText& json, const ParsedResult& result) {
  Members<Phase> members(result.phases.size());
  for (const Phase& phase : result.phases) members.add(phase);
  json.key("phases");
  json.begin_object();
  for (const Phase* phase : members.all()) {
    json.key(phase->name);
    json.begin_object();
    if (std::isfinite(phase->value)) json.member("value", phase->value);
    json.member("unit", phase->unit);
    if (std::isfinite(phase->time_s)) json.member("time_s", phase->time_s);
    json.member("valid", phase->valid);
    json.member("scored", phase->scored);
    json.member("line", phase->line);
    json.end_object();
  }
  json.end_object();
}

/// `rules`, and `other_rules` where some are not listed.
void write_rules(JsonText& json, std::span<const RuleResult> rules, ListedRules listed) {
  int passed = 0;
  int not_applicable = 0;
  json.key("rules");
  json.begin_array();
  for (const RuleResult& rule : rules) {
    if (listed == ListedRules::noteworthy &&
        (rule.status == RuleStatus::pass || rule.status == RuleStatus::not_applicable)) {
      ++(rule.status == RuleStatus::pass ? passed : not_applicable);
      continue;
    }
    const char severity = static_cast<char>(rule.severity);
    json.begin_object();
    json.member("id", rule.id);
    json.member("severity", std::string_view(&severity, 1));
    json.member("status", to_string(rule.status));
    json.member("title", rule.title);
    json.member("value", rule.value);
    if (rule.line != 0) json.member("line", rule.line);
    json.member("text", rule.text);
    json.end_object();
  }
  json.end_array();
  if (listed == ListedRules::all) return;
  json.key("other_rules");
  json.begin_object();
  json.member(to_string(RuleStatus::pass), passed);
  json.member(to_string(RuleStatus::not_applicable), not_applicable);
  json.end_object();
}

void write_texts(JsonText& json, std::string_view name, std::span<const std::string> texts,
                 std::span<const std::string> more = {}) {
  json.key(name);
  json.begin_array();
  for (const auto& list : {texts, more})
    for (const std::string& text : list) json.value(text);
  json.end_array();
}

}  // namespace

void append_result_json(std::string& text, const ParsedResult& result, const Judged& judged,
                        std::string_view file, ListedRules listed) {
  JsonText json(std::move(text));
  json.begin_object();
  json.member("schema", "shakedown.result/1");
  json.member("file", file);
  json.member("suite", result.suite);
  json.member("implementation", result.implementation);
  if (!result.version.empty()) json.member("version", result.version);
  json.member("complete", result.complete);
  if (!result.reason.empty()) json.member("reason", result.reason);
  write_parameters(json, result);
  const std::vector<std::string> no_numbers = write_metrics(json, result);
  if (!result.phases.empty()) write_phases(json, result);
  json.member("validity", to_string(judged.validity));
  write_rules(json, judged.rules, listed);
  write_texts(json, "warnings", result.warnings, no_numbers);
  json.end_object();
  text = json.take();
}

std::string result_json(const ParsedResult& result, const Judged& judged, std::string_view file,
                        ListedRules listed) {
  std::string text;
  append_result_json(text, result, judged, file, listed);
  return text;
}

std::string score_json(const SetScore& score, ListedRules listed) {
  JsonText json;
  json.begin_object();
  json.member("schema", score.schema);
  json.member("suite", score.suite);
  json.member("benchmark", score.benchmark);
  json.member("name", score.name);
  if (score.score_min) json.member("score_min", *score.score_min);
  json.member("runs", score.runs);
  json.member("converged", score.converged);
  write_texts(json, "files", score.files);
  write_texts(json, "dropped", score.dropped);
  json.member("validity", to_string(score.validity));
  write_rules(json, score.rules, listed);
  write_texts(json, "warnings", score.warnings);
  json.end_object();
  return json.take();
}

}  // namespace shakedown
