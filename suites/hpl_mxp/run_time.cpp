#include "suites/hpl_mxp/run_time.hpp"

#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::hpl_mxp {
namespace {

/// Making the matrix and starting up; assumed, since no log of a large run tells it.
constexpr double startup_s = 60;
constexpr double longest_startup_s = 600;

/// In FP64 already, each data-centre GPU since V100 (7 TFLOP/s, NVIDIA's data sheet) exceeds it.
constexpr double slowest_gflops_per_gpu = 5000;

/// Five significant digits: more would pretend to know.
double rounded(double value) {
  if (!(value > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 4);
  return unit >= 1 ? std::round(value / unit) * unit : std::round(value / unit) / std::round(1 / unit);
}

/// Why the model says nothing of this run; empty: it applies.
std::string why_not(const PlanRequest& request, const RankLayout& layout, const std::string& precision) {
  const Implementation& implementation = *request.implementation;
  const std::string word = implementation.tuned_text("fitted_gpu");
  if (word.empty())
    return fmt::format("no run of '{}' is published that a model could be fitted to", implementation.id);
  const Gpu& gpu = request.group->gpus.front();
  if (!gpu_is(gpu, word))
    return fmt::format("its model is fitted to {} and these GPUs are '{}'", word, gpu.model);
  if (const std::string fitted = implementation.tuned_text("fitted_precision"); precision != fitted)
    return fmt::format("its model is fitted to {} and this run is in {}", fitted, precision);
  const double least = implementation.tuned("least_ranks", 256);
  if (layout.ranks() < least)
    return fmt::format(
        "its model holds from {} GPUs on and these are {}: on few GPUs the refinement depends on the run's "
        "configuration (39 to 110 TFLOP/s a GPU were seen on single nodes of H100)",
        least, layout.ranks());
  return {};
}

}  // namespace

double operations(double N) {
  return 2.0 / 3.0 * N * N * N + 1.5 * N * N;
}

double RunTime::lu_s(double N) const {
  return operations(N) / (ranks * lu_gflops * 1e9);
}

double RunTime::time_s(double N) const {
  return lu_s(N) + refinement_s * (N * N / ranks) / elements_per_rank;
}

std::vector<Prediction> RunTime::predictions(double N) const {
  if (!applies) return {};
  const double T = time_s(N);
  const double rate = operations(N) / T / 1e9;
  const double lu = ranks * lu_gflops;
  const double shortest = T / (1 + band);
  const double longest = T / (1 - band);
  return {{"rmax_gflops", rounded(rate), rounded(rate * (1 - band)), rounded(rate * (1 + band))},
          {"lu_gflops", rounded(lu), rounded(lu * (1 - band)), rounded(lu * (1 + band))},
          {"time_s", rounded(T), rounded(shortest), rounded(longest)},
          {"wall_time_s", rounded(T + startup_s), rounded(shortest), rounded(longest + longest_startup_s)}};
}

RunTime run_time(const PlanRequest& request, const RankLayout& layout, const std::string& precision) {
  const Implementation& implementation = *request.implementation;
  RunTime model;
  model.ranks = layout.ranks();
  model.slowest_gflops = implementation.tuned("slowest_gflops_per_gpu", slowest_gflops_per_gpu);
  if (const std::string reason = why_not(request, layout, precision); !reason.empty()) {
    model.model = "nothing is predicted: " + reason;
    return model;
  }
  model.applies = true;
  model.lu_gflops = implementation.tuned("lu_gflops_per_gpu", 0);
  model.refinement_s = implementation.tuned("refinement_s", 0);
  const double N0 = implementation.tuned("fitted_N", 1);
  model.elements_per_rank = N0 * N0 / implementation.tuned("fitted_ranks", 1);
  model.band = implementation.tuned("band", 0.05);
  model.model = fmt::format(
      "T = W/(n R) + {} s x (N^2/n) / {}; n = {}, R = {} in the factorisation; wall = T + {:.0f} s (up "
      "to {:.0f} s) "
      "of start-up, assumed; {}",
      model.refinement_s, count_text(model.elements_per_rank), layout.ranks(), flops_text(model.lu_gflops),
      startup_s, longest_startup_s, implementation.tuned_text("model_source"));
  return model;
}

}  // namespace shakedown::hpl_mxp
