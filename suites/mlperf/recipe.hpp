#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/mlperf/parallelism.hpp"

namespace shakedown::mlperf {

using Recipe = std::vector<Parameter>;

/// A value of a recipe; 0: it has none.
double value_of(const Recipe& recipe, std::string_view name);

/// A recipe fitted to the GPUs at hand.
struct FittedRecipe {
  Parallelism parallelism;
  const Recipe* recipe = nullptr;  ///< of the implementation
  bool pinned = false;             ///< a pin changed it
  std::vector<Reason> why;
};

/// The published recipe nearest in the number of GPUs that meets rule ML-09 and fits the GPUs' memory,
/// the configuration's pins in place of its values; those of one node serve several only if no other
/// does. DP follows from the GPUs. GBS is the recipe's; at other scales at least the closed division's least,
/// up to a multiple of what must divide it; or the least such multiple from `least_GBS` on.
///
/// Fails with the rule that the nearest recipe breaks (ML-09, ML-04, memory) if none fits; the hint is the
/// nearest number of the inventory's nodes with which one does ("8 nodes"), else the next above.
Result<FittedRecipe> fitted_recipe(const PlanRequest& request, int gpus_per_node);

}  // namespace shakedown::mlperf
