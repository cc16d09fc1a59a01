#pragma once
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/mlperf/recipe.hpp"

namespace shakedown::mlperf {

struct Outcome {
  Model model;
  std::vector<Prediction> predicted;  ///< empty: no model applies, `model` has the reason
};

/// `time_to_train_min`, where tokens per second are published `samples_per_s` and `tokens_s_per_gpu`, and
/// `wall_time_s`:
///
///     time to train = evaluations x tokens between two / (tokens/s/GPU x GPUs) + overhead
///
/// with the tokens per second by a power law in the number of GPUs and the overhead by its logarithm between
/// the two published scales around; where only times to train are published, a power law of those. Where the
/// suite has results of other systems, these say what another system, scale or GPU takes; without any there
/// is nothing outside of the published scales and on other GPUs. Nothing for pinned recipes.
Outcome outcome(const PlanRequest& request, const FittedRecipe& fitted);

}  // namespace shakedown::mlperf
