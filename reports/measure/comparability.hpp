#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// A condition with a number that belongs to it.
struct ConditionLimit {
  std::string condition;
  double limit = 0;
};

/// A kind of comparison: a metric, how it is normalised, and what must hold on both sides.
struct ComparisonRule {
  std::string suite;
  std::string metric;
  std::string normalisation;  ///< "absolute", "per GPU", "efficiency vs GEMM", "efficiency vs Rpeak", ...
  std::vector<std::string> must_match;   ///< conditions that must be equal
  std::vector<ConditionLimit> at_least;  ///< conditions that both sides must reach
  std::vector<ConditionLimit> within;    ///< conditions that may differ by this share of the baseline's
  /// Exponents of a model: the baseline's value times (condition here / there)^limit. A scaled value is
  /// information, never a criterion.
  std::vector<ConditionLimit> scaled_by;
  std::string never;  ///< why this normalisation is refused; empty: it isn't

  [[nodiscard]] bool information() const { return !scaled_by.empty(); }
};

/// What may be compared with what: comparability.toml.
struct Comparability {
  std::vector<std::string> gpu_implementations;  ///< builds whose rates are those of GPUs
  std::vector<Parameter> precisions;             ///< by suite
  std::vector<Parameter> rule_epochs;            ///< by precision: the rules that allow it
  std::vector<ComparisonRule> rules;

  [[nodiscard]] bool on_gpus(std::string_view implementation) const;

  /// The rule by which a metric may carry a criterion, or the one that refuses it; null where none names it.
  [[nodiscard]] const ComparisonRule* criterion_rule(std::string_view suite, std::string_view metric) const;
};

/// Reads comparability.toml's text; unknown keys and conditions are refused.
Result<Comparability> read_comparability(std::string_view text, std::string_view name);

}  // namespace shakedown
