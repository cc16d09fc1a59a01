#include "suites/mlperf/outcome.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/evidence.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "suites/mlperf/scaling.hpp"

namespace shakedown::mlperf {
namespace {

/// The published scales around the number of GPUs, and how far it is from the first to the second, by
/// logarithm.
struct Between {
  Recipe low;
  Recipe high;
  double along = 0;

  /// A rate or a time: a power law in the number of GPUs.
  [[nodiscard]] double power(std::string_view name) const {
    const double first = value_of(low, name);
    return first * std::pow(value_of(high, name) / first, along);
  }
};

/// Nothing where the number of GPUs is outside of the published ones.
std::optional<Between> scales_around(const Implementation& implementation, std::int64_t gpus) {
  std::vector<Recipe> recipes = implementation.recipes;
  std::erase_if(recipes, [](const Recipe& recipe) { return value_of(recipe, "time_to_train_min") <= 0; });
  std::ranges::sort(recipes, {}, [](const Recipe& recipe) { return value_of(recipe, "gpus"); });
  const auto wanted = static_cast<double>(gpus);
  const auto above = std::ranges::find_if(
      recipes, [wanted](const Recipe& recipe) { return value_of(recipe, "gpus") >= wanted; });
  if (above == recipes.end()) return std::nullopt;
  if (value_of(*above, "gpus") == wanted) return Between{*above, *above, 0};
  if (above == recipes.begin()) return std::nullopt;
  Between found{*(above - 1), *above, 0};
  const double first = value_of(found.low, "gpus");
  found.along = std::log(wanted / first) / std::log(value_of(found.high, "gpus") / first);
  return found;
}

std::string why_not(const PlanRequest& request, const FittedRecipe& fitted, bool published) {
  const Implementation& implementation = *request.implementation;
  const std::string& gpu = request.group->gpus.front().model;
  const std::string measured = implementation.tuned_text("model_gpu");
  if (measured.empty() || value_of(*fitted.recipe, "time_to_train_min") <= 0)
    return "no time is published for this recipe";
  if (lower(gpu).find(measured) == std::string::npos)
    return fmt::format("the published times are of {}, and this is {}", measured, gpu);
  if (fitted.pinned) return "the recipe is pinned, and how many samples another one needs is not published";
  if (!published) {
    std::vector<std::int64_t> scales;
    scales.reserve(implementation.recipes.size());
    for (const Recipe& recipe : implementation.recipes)
      if (value_of(recipe, "time_to_train_min") > 0) scales.push_back(std::llround(value_of(recipe, "gpus")));
    const auto [least, most] = std::ranges::minmax_element(scales);
    return fmt::format("the published runs had {} to {} GPUs, and these are {}", *least, *most,
                       fitted.parallelism.gpus);
  }
  return {};
}

/// Tokens between two evaluations: full batches.
double tokens_per_evaluation(const Implementation& implementation, double GBS) {
  const double batches = std::ceil(implementation.tuned("samples_per_evaluation", 0) / GBS);
  return batches * GBS * implementation.tuned("sequence", 0);
}

double training_min(const Implementation& implementation, const Recipe& recipe, double GBS, double tokens_s) {
  return value_of(recipe, "evaluations") * tokens_per_evaluation(implementation, GBS) / tokens_s / 60;
}

/// What a published time to train has beyond the training at its published rate.
double overhead_min(const Implementation& implementation, const Recipe& recipe) {
  return value_of(recipe, "time_to_train_min") -
         training_min(implementation, recipe, value_of(recipe, "GBS"),
                      value_of(recipe, "tokens_s_per_gpu") * value_of(recipe, "gpus"));
}

double rounded(double value, double per_unit) {
  return std::round(value * per_unit) / per_unit;
}

Prediction banded(std::string metric, double value, double band) {
  return {std::move(metric), rounded(value, 100), rounded(value * (1 - band), 100),
          rounded(value * (1 + band), 100)};
}

std::string with_rates(const Implementation& implementation, const FittedRecipe& fitted,
                       const Between& between, double& minutes, double& tokens_s_per_gpu) {
  const auto gpus = static_cast<double>(fitted.parallelism.gpus);
  const auto GBS = static_cast<double>(fitted.parallelism.GBS);
  tokens_s_per_gpu = between.power("tokens_s_per_gpu");
  const double first = overhead_min(implementation, between.low);
  const double overhead = first + between.along * (overhead_min(implementation, between.high) - first);
  minutes = training_min(implementation, *fitted.recipe, GBS, tokens_s_per_gpu * gpus) + overhead;
  return fmt::format(
      "time to train = {} evaluations x {} million tokens / ({:.2f} tokens/s/GPU x {}) + {:.2f} min",
      std::llround(value_of(*fitted.recipe, "evaluations")),
      grouped(tokens_per_evaluation(implementation, GBS) / 1e6, 4), tokens_s_per_gpu, grouped(gpus),
      overhead);
}

/// What is doubtful of the published runs that the prediction rests on; empty: nothing.
std::string doubts(const Between& between) {
  std::string text;
  for (const Recipe* recipe : {&between.low, &between.high}) {
    const Value* doubt = find_parameter(*recipe, "doubt");
    const bool again = recipe == &between.high && value_of(*recipe, "gpus") == value_of(between.low, "gpus");
    if (doubt == nullptr || again) continue;
    text += fmt::format("; of the run on {} GPUs {}", std::llround(value_of(*recipe, "gpus")),
                        value_text(*doubt));
  }
  return text;
}

/// Whether the published recipes are of this very system; where none is named, any with such GPUs counts.
bool is_own_system(const PlanRequest& request) {
  const std::string system = request.implementation->tuned_text("fitted_system");
  return system.empty() || (request.inventory != nullptr && request.inventory->system == system);
}

/// Start and end of a run around its time to train.
Prediction wall_time(const Implementation& implementation, double minutes, double low, double high) {
  return {"wall_time_s", std::round(minutes * 60 + implementation.tuned("init_s", 0)), std::round(low * 60),
          std::round(high * 60 + implementation.tuned("most_init_s", 0))};
}

/// The time to train by what others published.
Outcome outcome_by_others(const PlanRequest& request, const FittedRecipe& fitted) {
  const Implementation& implementation = *request.implementation;
  const Gpu& gpu = request.group->gpus.front();
  const double peak = gpu.peak.fp8_dense_tflops.value_or(published_basis(implementation.results, gpu));
  if (!(peak > 0))
    return {{fmt::format("no model applies: the dense FP8 peak of '{}' is not stated", gpu.model), "", 0, 0},
            {}};
  const Scaling scaling = fitted_scaling(implementation.results, implementation.tuned("knee_gpus", 1));
  const std::vector<Observation> runs = observed(implementation.results, scaling);
  const auto gpus = static_cast<double>(fitted.parallelism.gpus);
  const double link = nic_gb_s_per_rank(*request.group, static_cast<int>(std::ssize(request.group->gpus)));
  const double usual = implementation.tuned("network_gb_s_per_rank", link);
  const auto nodes = static_cast<double>(request.hosts.size());
  const double of_scale = scale_uncertainty(implementation.results, scaling, gpus);
  const double of_network = link > 0 && usual > 0 ? network_uncertainty(scaling, nodes, usual / link) : 0;
  const PublishedEvidence found = evidence_for(runs, gpu, 0, gpus, std::hypot(of_scale, of_network));
  std::string outside;
  if (of_scale > 0)
    outside += fmt::format("; {} GPUs lie outside of the scales of the results: {} more of uncertainty",
                           grouped(gpus), percent_text(std::expm1(of_scale), 0));
  if (of_network > 0)
    outside += fmt::format("; the network has {} GB/s a GPU and theirs {}: {} more of uncertainty",
                           number(link, 3), number(usual, 3), percent_text(std::expm1(of_network), 0));
  if (!is_useful(found.low, found.high))
    return {{"no model applies: " + found.because + outside, "", 0, 0}, {}};
  const double whole = peak * scaling(gpus);
  const double minutes = 1 / (whole * found.ratio);
  const double least = 1 / (whole * found.high);
  const double most = 1 / (whole * found.low);
  Outcome result;
  result.predicted = {{"time_to_train_min", rounded(minutes, 100), rounded(least, 100), rounded(most, 100)},
                      wall_time(implementation, minutes, least, most)};
  result.model = {
      fmt::format("time to train by {} published results: its inverse grows with GPUs^{:.2f} up to "
                  "{:.0f} and GPUs^{:.2f} beyond, and with the dense FP8 peak ({} TFLOP/s); of {} of "
                  "this GPU four of five lie within -{} and +{}{}; wall time = that + {} s of start "
                  "(at most {})",
                  found.observations, scaling.up_to, scaling.knee, scaling.beyond, number(peak),
                  plural(found.of_this_gpu, "result"), percent_text(1 - least / minutes, 0),
                  percent_text(most / minutes - 1, 0), outside, grouped(implementation.tuned("init_s", 0)),
                  grouped(implementation.tuned("most_init_s", 0))),
      "fit", found.gpu_models + 2, found.observations};
  return result;
}

}  // namespace

Outcome outcome(const PlanRequest& request, const FittedRecipe& fitted) {
  const Implementation& implementation = *request.implementation;
  const std::optional<Between> around = scales_around(implementation, fitted.parallelism.gpus);
  const std::string why = why_not(request, fitted, around.has_value());
  if (!fitted.pinned && !implementation.results.empty() && (!why.empty() || !is_own_system(request)))
    return outcome_by_others(request, fitted);
  if (!around || !why.empty()) return {{"no model applies: " + why, "", 0, 0}, {}};
  const Between& between = *around;
  double minutes = 0;
  double tokens_s_per_gpu = 0;
  std::string text;
  if (value_of(between.low, "tokens_s_per_gpu") > 0) {
    text = with_rates(implementation, fitted, between, minutes, tokens_s_per_gpu);
  } else {
    minutes = between.power("time_to_train_min");
    const auto low = std::llround(value_of(between.low, "gpus"));
    const auto high = std::llround(value_of(between.high, "gpus"));
    text = low == high ? fmt::format("time to train as it was published for {} GPUs", low)
                       : fmt::format("time to train by a power law in the number of GPUs between {} and {}",
                                     low, high);
  }
  const double band = implementation.tuned(is_own_system(request) ? "band" : "band_other_systems", 0.1);
  Outcome result;
  result.predicted.push_back(banded("time_to_train_min", minutes, band));
  if (tokens_s_per_gpu > 0) {
    // How fast it runs is steadier than how many evaluations it takes.
    const double sequences =
        static_cast<double>(fitted.parallelism.gpus) / implementation.tuned("sequence", 1);
    result.predicted.push_back(banded("samples_per_s", tokens_s_per_gpu * sequences, band / 2));
    result.predicted.push_back(banded("tokens_per_s_per_gpu", tokens_s_per_gpu, band / 2));
  }
  result.predicted.push_back(wall_time(implementation, minutes, minutes * (1 - band), minutes * (1 + band)));
  text += fmt::format("; wall time = that + {} s of start (at most {})",
                      grouped(implementation.tuned("init_s", 0)),
                      grouped(implementation.tuned("most_init_s", 0)));
  if (const std::string source = implementation.tuned_text("model_source"); !source.empty())
    text += "; " + source;
  text += doubts(between);
  result.model = described_model(implementation, std::move(text));
  return result;
}

}  // namespace shakedown::mlperf
