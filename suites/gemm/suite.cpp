#include "orchestrator/plan/suite.hpp"

#include "orchestrator/plan/planned_case.hpp"
#include "suites/gemm/gpu_case.hpp"

namespace shakedown::suite {

extern const Suite gemm;

namespace {

/// The theoretical rate with its band; nothing where clock or FLOP per cycle are not known.
void predict(Case& planned, const PlanRequest& request) {
  const double peak = cpu_peak_gflops(*request.group) * planned.nodes;
  if (peak <= 0) {
    planned.warnings.emplace_back("clock or FLOP per cycle are not known: no FP64 rate is predicted");
    return;
  }
  const Cpu& cpu = request.group->cpu;
  const double boost = cpu.max_mhz > cpu.base_mhz ? cpu.max_mhz / cpu.base_mhz
                                                  : request.implementation->tuned("most_of_peak", 1);
  planned.predicted = {
      {"fp64_gflops", peak, peak * request.implementation->tuned("least_of_peak", 0.5), peak * boost}};
  planned.model.source = "spec";
  planned.model.text = fmt::format(
      "{} cores x {} FLOP per cycle x {:.0f} MHz base clock; up to {:.2f} x that {}", planned.ranks,
      cpu.fp64_flop_per_cycle, cpu.base_mhz, boost,
      cpu.max_mhz > cpu.base_mhz ? "at the highest clock" : "by a turbo, whose clock is not readable");
}

Result<Case> planned_gemm(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  if (!implementation.requires_gpu.empty()) return shakedown::gemm::gpu_case(request);
  const auto layout =
      rank_layout(implementation.rank_per, *request.group, static_cast<int>(request.hosts.size()));
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  planned->screen = true;
  const double run_s = implementation.tuned("run_s", 5);
  planned->time_limit_s = 10 * run_s + 60;
  planned->why.push_back(
      {"time_limit_s", static_cast<std::int64_t>(planned->time_limit_s),
       fmt::format("10 x {:.0f} s + 60 s: {}", run_s, implementation.tuned_text("run_source")),
       "time limit: a run this long is stuck"});
  predict(*planned, request);
  planned->predicted.push_back({"wall_time_s", run_s, run_s / 2, run_s * 4});
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace

const Suite gemm = {
    .id = "gemm",
    .plan = planned_gemm,
};

}  // namespace shakedown::suite
