#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// A kind of comparison: a metric, how it is normalised, and what must be equal on both sides.
struct ComparisonRule {
  std::string suite;
  std::string metric;
  std::string normalisation;  ///< "absolute", "per GPU", "efficiency vs GEMM", "efficiency vs Rpeak"
  std::vector<std::string>
      must_match;  ///< conditions: "nodes", "gpus", "device", "gpu", "precision", "implementation"
};

/// What may be compared with what: comparability.toml.
struct Comparability {
  std::vector<std::string> gpu_implementations;  ///< builds whose rates are those of GPUs
  std::vector<Parameter> precisions;             ///< by suite
  std::vector<ComparisonRule> rules;

  [[nodiscard]] bool on_gpus(std::string_view implementation) const;
};

/// Reads comparability.toml's text; unknown keys and conditions are refused.
Result<Comparability> read_comparability(std::string_view text, std::string_view name);

}  // namespace shakedown
