#include "reports/comparability.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"

namespace shakedown {
namespace {

const std::array<std::string, 7> known_conditions = {"nodes",     "gpus",           "device",     "gpu",
                                                     "precision", "implementation", "rpeak_clock"};

ComparisonRule rule(TomlTable table) {
  ComparisonRule rule;
  rule.suite = table.required_text("suite");
  rule.metric = table.required_text("metric");
  rule.normalisation = table.required_text("normalisation");
  rule.must_match = table.texts("must_match");
  for (const std::string& name : rule.must_match)
    if (std::find(known_conditions.begin(), known_conditions.end(), name) == known_conditions.end())
      table.reject("must_match",
                   fmt::format("'{}' is no condition{}", name, did_you_mean(name, known_conditions)),
                   fmt::format("conditions: {}", joined(known_conditions, ", ")));
  return rule;
}

}  // namespace

bool Comparability::on_gpus(std::string_view implementation) const {
  return std::find(gpu_implementations.begin(), gpu_implementations.end(), implementation) !=
         gpu_implementations.end();
}

Result<Comparability> read_comparability(std::string_view text, std::string_view name) {
  auto file = TomlTable::parse(text, name);
  if (!file) return pass_on(file);
  Comparability comparability;
  comparability.gpu_implementations = file->texts("gpu_implementations");
  TomlTable precision = file->table("precision");
  for (const std::string& suite : precision.keys())
    comparability.precisions.push_back({suite, precision.required_text(suite)});
  for (const TomlTable& table : file->tables("comparisons")) comparability.rules.push_back(rule(table));
  if (auto ok = file->finished(); !ok) return pass_on(ok);
  return comparability;
}

}  // namespace shakedown
