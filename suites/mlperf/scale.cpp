#include "suites/mlperf/scale.hpp"

#include <fmt/core.h>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown::mlperf {
namespace {

constexpr std::string_view variables = "environment/";

std::string text_in(const Recipe& recipe, std::string_view name) {
  const Value* value = find_parameter(recipe, name);
  return value == nullptr ? std::string() : value_text(*value);
}

struct LearningRate {
  std::int64_t GBS = 0;
  std::string rate;
};

LearningRate learning_rate(const std::string& listed, std::int64_t GBS) {
  LearningRate found;
  for (const std::string_view each : words(listed)) {
    const auto parts = split(each, ':');
    const std::int64_t from = parsed_integer(parts.front()).value_or(0);
    if (from <= GBS) found = {from, std::string(parts.back())};
  }
  return found;
}

}  // namespace

Scale scale_of(const Implementation& implementation, const FittedRecipe& fitted) {
  Scale scale;
  std::string names;
  for (const Parameter& each : implementation.environment)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
  if (!names.empty())
    scale.why.push_back({"environment, every scale", fmt::format("{} set", implementation.environment.size()),
                         names, implementation.tuned_text("environment_source")});
  names.clear();
  for (const Parameter& each : *fitted.recipe) {
    if (!each.name.starts_with(variables)) continue;
    scale.environment.push_back({each.name.substr(variables.size()), each.value});
    names += fmt::format("{}{}={}", names.empty() ? "" : " ", scale.environment.back().name,
                         value_text(each.value));
  }
  if (!names.empty())
    scale.why.push_back({"environment", fmt::format("{} set", scale.environment.size()),
                         fmt::format("{}: the variables of the published configuration for {} GPUs", names,
                                     text_in(*fitted.recipe, "gpus")),
                         text_in(*fitted.recipe, "environment_source")});
  const std::int64_t GBS = fitted.parallelism.GBS;
  if (const std::string interval = implementation.tuned_text("export_evaluation_interval");
      !interval.empty()) {
    const auto samples = std::llround(implementation.tuned("samples_per_evaluation", 1));
    const std::int64_t steps = (samples + GBS - 1) / GBS;
    scale.environment.push_back({interval, steps});
    scale.why.push_back({interval, steps,
                         fmt::format("{} samples between two evaluations / GBS {}, rounded up", samples, GBS),
                         implementation.tuned_text("evaluation_source")});
  }
  if (const double part = implementation.tuned("skip_evaluations_per_GBS", 0); part > 0) {
    const double more = implementation.tuned("skip_evaluations", 0);
    const std::int64_t skipped = std::llround(std::floor(part * static_cast<double>(GBS) + more));
    scale.environment.push_back({"SKIP_EVALS", skipped});
    scale.why.push_back({"SKIP_EVALS", skipped, fmt::format("floor({} x GBS {} + {})", part, GBS, more),
                         implementation.tuned_text("skip_evaluations_source")});
  }
  const LearningRate found = learning_rate(implementation.tuned_text("learning_rates"), GBS);
  if (found.rate.empty()) return scale;
  scale.environment.push_back({"LR", found.rate});
  scale.why.push_back({"LR", found.rate,
                       found.GBS == GBS ? fmt::format("for GBS = {}", GBS)
                                        : fmt::format("for GBS = {}: the value from {} on", GBS, found.GBS),
                       implementation.tuned_text("learning_rates_source")});
  if (found.GBS != GBS && implementation.tuned("learning_rates_are_published", 0) > 0)
    scale.warnings.push_back(
        fmt::format("the learning rate for GBS = {} is not published: {} is that of GBS = {}, the largest "
                    "published batch below it; state LR in the site's environment for another",
                    GBS, found.rate, found.GBS));
  return scale;
}

}  // namespace shakedown::mlperf
