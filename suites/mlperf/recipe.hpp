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

/// The published recipe nearest in the number of GPUs that meets rule ML-09, the configuration's pins in
/// place of its values. DP follows from the GPUs; GBS = max(least, DP x MBS) and CP by the number of nodes if
/// the implementation sets them instead of the recipe.
///
/// Fails with rule ML-09 of the nearest recipe if none meets it; the hint is the nearest number of the
/// inventory's nodes with which one does ("8 nodes"), else the next above.
Result<FittedRecipe> fitted_recipe(const PlanRequest& request, int gpus_per_node);

}  // namespace shakedown::mlperf
