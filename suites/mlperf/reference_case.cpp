#include "suites/mlperf/reference_case.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::mlperf {
namespace {

/// As many ranks as cores, but none without a sample.
Result<RankLayout> reference_layout(const PlanRequest& request, int GBS) {
  const auto nodes = static_cast<int>(request.hosts.size());
  if (nodes > GBS)
    return fail("requirements",
                fmt::format("{} nodes have less than one of the {} samples of a batch each", nodes, GBS),
                fmt::format("{} nodes", GBS));
  auto layout = rank_layout(request.implementation->rank_per, *request.group, nodes);
  if (!layout || layout->ranks() <= GBS) return layout;
  const int cores = layout->ranks_per_node;
  layout->ranks_per_node = GBS / nodes;
  layout->why.push_back({"ranks_per_node", std::int64_t{layout->ranks_per_node},
                         fmt::format("{} cores, but {} samples of a batch on {} nodes", cores, GBS, nodes),
                         "each rank needs a sample of each batch"});
  return layout;
}

/// FP32 GEMM of the ranks in GFLOP/s; 0: not known.
double fp32_gflops(const PlanRequest& request, const RankLayout& layout) {
  const double node_ranks = layout.ranks_per_node;
  const double part = node_ranks / std::max(usable_cores(*request.group), layout.ranks_per_node);
  const double fp64 = request.measured.gemm_gflops > 0 ? request.measured_gemm_gflops()
                                                       : cpu_peak_gflops(*request.group) * layout.nodes;
  return 2 * part * fp64;
}

void predict(const PlanRequest& request, const RankLayout& layout, Case& planned) {
  const Implementation& implementation = *request.implementation;
  const double peak = fp32_gflops(request, layout);
  if (peak <= 0) {
    planned.warnings.emplace_back("clock or FLOP per cycle are not known: no time to train is predicted");
    return;
  }
  const double efficiency = implementation.tuned("efficiency", 0.5);
  const double gflop = implementation.tuned("gflop", 0);
  const double seconds = gflop / (efficiency * peak);
  const double wall = seconds + implementation.tuned("gflop_before", 0) / (efficiency * peak) +
                      implementation.tuned("startup_s", 1);
  const double low = implementation.tuned("band_low", 0.5);
  const double high = implementation.tuned("band_high", 2);
  planned.predicted = {{"time_to_train_min", seconds / 60, seconds * low / 60, seconds * high / 60},
                       {"wall_time_s", wall, wall * low, wall * high}};
  planned.model = described_model(
      implementation, fmt::format("time to train = {:.0f} GFLOP / ({} x {} of FP32 GEMM); {}", gflop,
                                  efficiency, flops_text(peak), implementation.tuned_text("model_source")));
  if (request.time_s > 0 && wall > request.time_s)
    planned.warnings.push_back(
        fmt::format("a training runs until it reaches its target: {} are predicted, {} were wished",
                    duration_text(wall), duration_text(request.time_s)));
}

}  // namespace

Result<Case> reference_case(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto GBS = static_cast<int>(std::lround(implementation.tuned("GBS", 32)));
  const auto layout = reference_layout(request, GBS);
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  predict(request, *layout, *planned);
  const Prediction* wall = find_prediction(*planned, "wall_time_s");
  const double most = wall == nullptr ? 600 : std::ceil((3 * wall->high + 60) / 10) * 10;
  planned->time_limit_s = most + 30;
  planned->why.push_back(
      {"time_limit_s", static_cast<std::int64_t>(planned->time_limit_s),
       wall == nullptr ? "no model predicts the time: 10 min and 30 s"
                       : fmt::format("3 x {} (the longest predicted run) + 90 s", duration_text(wall->high)),
       "a training three times as long as the pessimistic prediction does not converge"});
  planned->parameters = {{"benchmark", implementation.benchmark},
                         {"DP", std::int64_t{layout->ranks()}},
                         {"GBS", std::int64_t{GBS}},
                         {"most_seconds", static_cast<std::int64_t>(most)}};
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace shakedown::mlperf
