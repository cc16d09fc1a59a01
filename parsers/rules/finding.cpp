#include "parsers/rules/finding.hpp"

#include <utility>

namespace shakedown {

std::vector<RuleResult> applied(std::span<const Rule> rules, const Evidence& evidence) {
  std::vector<RuleResult> results;
  results.reserve(rules.size());
  for (const Rule& rule : rules) {
    Finding finding = rule.find(evidence);
    results.push_back({std::string(rule.id), std::string(rule.title), std::string(rule.source), rule.severity,
                       finding.status, std::move(finding.value), finding.line, std::move(finding.text)});
  }
  return results;
}

Finding passed(std::string value, int line, std::string text) {
  return {RuleStatus::pass, std::move(value), line, std::move(text)};
}

Finding failed(std::string value, int line, std::string text) {
  return {RuleStatus::fail, std::move(value), line, std::move(text)};
}

Finding unknown(std::string text, std::string value, int line) {
  return {RuleStatus::unknown, std::move(value), line, std::move(text)};
}

Finding checked(bool holds, std::string value, int line, std::string text) {
  return holds ? passed(std::move(value), line) : failed(std::move(value), line, std::move(text));
}

Finding not_applicable(std::string text) {
  return passed("does not apply", 0, std::move(text));
}

std::optional<std::int64_t> whole_parameter(std::span<const Parameter> parameters, std::string_view name) {
  const Value* value = find_parameter(parameters, name);
  if (value == nullptr || !std::holds_alternative<std::int64_t>(*value)) return std::nullopt;
  return std::get<std::int64_t>(*value);
}

}  // namespace shakedown
