#include "parsers/rules/finding.hpp"

#include <algorithm>
#include <utility>

#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {

std::vector<RuleResult> applied(std::span<const Rule> rules, const Evidence& evidence,
                                std::vector<RuleResult> room) {
  return applied({rules}, evidence, std::move(room));
}

std::vector<RuleResult> applied(std::initializer_list<std::span<const Rule>> tables, const Evidence& evidence,
                                std::vector<RuleResult> room) {
  std::size_t count = 0;
  for (const auto rules : tables) count += rules.size();
  std::vector<RuleResult> results = std::move(room);
  results.clear();
  results.reserve(count);
  for (const auto rules : tables)
    for (const Rule& rule : rules) {
      Finding finding = rule.find(evidence);
      results.push_back({KeptText::of_table(rule.id), KeptText::of_table(rule.title),
                         KeptText::of_table(rule.source), rule.severity, finding.status,
                         std::move(finding.value), finding.line, std::move(finding.text)});
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

Finding checked(bool holds, std::string value, int line, std::string_view text) {
  return holds ? passed(std::move(value), line) : failed(std::move(value), line, std::string(text));
}

Finding not_applicable(std::string text) {
  return {RuleStatus::not_applicable, "", 0, std::move(text)};
}

bool computes_on_gpus(std::string_view implementation) {
  return implementation == "nvidia" || implementation == "amd" || implementation == "cuda";
}

std::optional<double> screened_rate(const Evidence& evidence, std::string_view suite,
                                    std::string_view metric) {
  if (evidence.planned == nullptr || evidence.planned->nodes < 1) return std::nullopt;
  const bool on_gpus = computes_on_gpus(evidence.planned->implementation) ||
                       (evidence.result != nullptr && computes_on_gpus(evidence.result->implementation));
  for (const Screen& screen : evidence.screens)
    if (screen.result.suite == suite && screen.nodes > 0 &&
        computes_on_gpus(screen.result.implementation) == on_gpus)
      if (const Metric* rate = screen.result.metric(metric))
        return rate->value / screen.nodes * evidence.planned->nodes;
  return std::nullopt;
}

const NodeGroup* group_of_case(const Evidence& evidence) {
  if (evidence.inventory == nullptr || evidence.inventory->groups.empty()) return nullptr;
  const auto& groups = evidence.inventory->groups;
  if (evidence.planned != nullptr)
    if (const auto hosts = expanded_hostlist(evidence.planned->hosts); hosts && !hosts->empty())
      for (const NodeGroup& group : groups) {
        const auto members = expanded_hostlist(group.hosts);
        if (members && std::find(members->begin(), members->end(), hosts->front()) != members->end())
          return &group;
      }
  return groups.size() == 1 ? &groups.front() : nullptr;
}

std::optional<std::int64_t> whole_parameter(std::span<const Parameter> parameters, std::string_view name) {
  const Value* value = find_parameter(parameters, name);
  if (value == nullptr || !std::holds_alternative<std::int64_t>(*value)) return std::nullopt;
  return std::get<std::int64_t>(*value);
}

}  // namespace shakedown
