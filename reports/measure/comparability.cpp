#include "reports/measure/comparability.hpp"

#include <algorithm>

#include "orchestrator/core/last_made.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "reports/measure/conditions.hpp"

namespace shakedown {
namespace {

bool known(const std::string& name) {
  const auto all = known_conditions();
  return std::find(all.begin(), all.end(), name) != all.end();
}

void refuse_unknown(TomlTable& table, std::string_view key, const std::string& name) {
  if (known(name)) return;
  table.reject(key, fmt::format("'{}' is no condition{}", name, did_you_mean(name, known_conditions())),
               fmt::format("conditions: {}", joined(known_conditions(), ", ")));
}

/// The numbers of a table whose keys are conditions.
std::vector<ConditionLimit> limits(TomlTable& table, std::string_view key) {
  std::vector<ConditionLimit> found;
  TomlTable numbers = table.table(key);
  for (const std::string& name : numbers.keys()) {
    refuse_unknown(numbers, name, name);
    found.push_back({name, numbers.required_real(name)});
  }
  return found;
}

ComparisonRule rule(TomlTable table) {
  ComparisonRule rule;
  rule.suite = table.required_text("suite");
  rule.metric = table.required_text("metric");
  rule.normalisation = table.required_text("normalisation");
  rule.never = table.text("never", "");
  rule.must_match = table.texts("must_match");
  for (const std::string& name : rule.must_match) refuse_unknown(table, "must_match", name);
  rule.at_least = limits(table, "at_least");
  rule.within = limits(table, "within");
  rule.scaled_by = limits(table, "scaled_by");
  return rule;
}

std::vector<Parameter> texts_by_name(TomlTable table) {
  std::vector<Parameter> found;
  for (const std::string& name : table.keys()) found.push_back({name, table.required_text(name)});
  return found;
}

}  // namespace

bool Comparability::on_gpus(std::string_view implementation) const {
  return std::find(gpu_implementations.begin(), gpu_implementations.end(), implementation) !=
         gpu_implementations.end();
}

const ComparisonRule* Comparability::criterion_rule(std::string_view suite, std::string_view metric) const {
  const ComparisonRule* refused = nullptr;
  for (const ComparisonRule& each : rules) {
    if (each.suite != suite || each.metric != metric) continue;
    if (!each.information() && each.never.empty()) return &each;
    if (refused == nullptr) refused = &each;
  }
  return refused;
}

namespace {

Result<Comparability> comparability_from(std::string_view text, std::string_view name) {
  auto file = TomlTable::parse(text, name);
  if (!file) return failure_of(file);
  Comparability comparability;
  comparability.gpu_implementations = file->texts("gpu_implementations");
  comparability.precisions = texts_by_name(file->table("precision"));
  comparability.rule_epochs = texts_by_name(file->table("rule_epoch"));
  for (const TomlTable& table : file->tables("comparisons")) comparability.rules.push_back(rule(table));
  if (auto ok = file->finished(); !ok) return failure_of(ok);
  return comparability;
}

}  // namespace

Result<Comparability> read_comparability(std::string_view text, std::string_view name) {
  static LastMade<Comparability> last;
  return last.of(text, [&] { return comparability_from(text, name); });
}

}  // namespace shakedown
