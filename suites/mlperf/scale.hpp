#pragma once
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "suites/mlperf/recipe.hpp"

namespace shakedown::mlperf {

/// What a training's scale sets beside the division among GPUs.
struct Scale {
  std::vector<Parameter> environment;  ///< the recipe's variables, evaluations, the learning rate
  std::vector<Reason> why;             ///< also of the implementation's own variables
  std::vector<std::string> warnings;
};

/// The recipe's own variables ("environment/NAME"); the steps between two evaluations, where the image wants
/// them (`export_evaluation_interval`); how many evaluations are skipped at first; and `LR` for the global
/// batch size: of the implementation's `learning_rates` ("8:0.0004 64:0.0005") the one of the largest batch
/// that is not above. A batch of none of them gets a warning where `learning_rates_are_published` is set:
/// then each is of just that batch.
Scale scale_of(const Implementation& implementation, const FittedRecipe& fitted);

}  // namespace shakedown::mlperf
