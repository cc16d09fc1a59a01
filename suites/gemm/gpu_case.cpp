#include "suites/gemm/gpu_case.hpp"

#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::gemm {
namespace {

/// A precision whose rate follows from a peak of the inventory; `shares` names the tuning values.
struct PeakOf {
  const char* metric;
  const char* shares;
  std::optional<double> (*tflops)(const GpuPeak&);
};
constexpr std::array peaks = {
    PeakOf{"fp64_gflops", "fp64",
           [](const GpuPeak& peak) {
             return peak.fp64_tensor_tflops ? peak.fp64_tensor_tflops : peak.fp64_vector_tflops;
           }},
    PeakOf{"bf16_gflops", "fp16", [](const GpuPeak& peak) { return peak.bf16_dense_tflops; }},
    PeakOf{"fp16_gflops", "fp16", [](const GpuPeak& peak) { return peak.fp16_dense_tflops; }},
    PeakOf{"fp8_gflops", "fp8", [](const GpuPeak& peak) { return peak.fp8_dense_tflops; }}};

/// "_b200": how the names of the shares that are this GPU's own end; empty: it has those of all.
std::string own_shares(const Implementation& implementation, const Gpu& gpu, std::string_view shares) {
  const std::string start = fmt::format("{}_share_", shares);
  for (const Parameter& tuned : implementation.tuning)
    if (tuned.name.starts_with(start) && gpu_is(gpu, tuned.name.substr(start.size())))
      return "_" + tuned.name.substr(start.size());
  return "";
}

void predict_gpu_rates(Case& planned, const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  std::vector<std::string> missing;
  std::vector<std::string> known;
  for (const PeakOf& each : peaks) {
    double gflops = 0;
    for (const Gpu& gpu : request.group->gpus) {
      const auto tflops = each.tflops(gpu.peak);
      if (!tflops) {
        gflops = 0;
        break;
      }
      gflops += *tflops * 1000;
    }
    const std::string name =
        upper(std::string(each.metric).substr(0, std::string_view(each.metric).find('_')));
    if (gflops <= 0) {
      missing.push_back(name);
      continue;
    }
    const std::string own = own_shares(implementation, request.group->gpus.front(), each.shares);
    const auto tuning = [&](const char* part) { return fmt::format("{}_{}{}", each.shares, part, own); };
    const auto share = [&](const char* part) { return gflops * implementation.tuned(tuning(part), 1); };
    planned.predicted.push_back({each.metric, share("share"), share("least"), share("most")});
    known.push_back(fmt::format("{} {} of {} ({})", name,
                                percent_text(implementation.tuned(tuning("share"), 1), 1), flops_text(gflops),
                                implementation.tuned_text(tuning("source"))));
  }
  if (!missing.empty())
    planned.warnings.push_back(
        fmt::format("the inventory does not give the GPUs' peak in {}: no such rate is predicted",
                    joined(missing, ", ")));
  if (known.empty()) return;
  planned.model.source = "spec";
  planned.model.text =
      fmt::format("shares of the peak of {} GPUs: {}", request.group->gpus.size(), joined(known, "; "));
}

}  // namespace

Result<Case> gpu_case(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  if (request.hosts.size() != 1)
    return fail("requirements",
                fmt::format("{}/{} runs on one node", implementation.suite, implementation.id),
                "each_node = true in its [[runs]]");
  auto layout = rank_layout(implementation.rank_per, *request.group, 1);
  if (!layout) return failure_of(layout);
  layout->binding = "none";  // its threads choose the processors next to their GPUs
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  planned->screen = true;
  const auto gpus = static_cast<std::int64_t>(request.group->gpus.size());
  const auto order = static_cast<std::int64_t>(implementation.tuned("N", 8192));
  planned->parameters = {{"gpus", gpus}, {"N", order}};
  planned->why.push_back({"N", order, "the order of all matrices", implementation.tuned_text("N_source")});
  const double precisions = implementation.tuned("precisions", 5);
  const double timed_s = precisions * (static_cast<double>(gpus) * implementation.tuned("alone_s", 1.6) +
                                       implementation.tuned("together_s", 3.6));
  const double host_s = precisions * implementation.tuned("host_s", 3);
  const double run_s = timed_s + host_s;
  planned->time_limit_s = std::ceil(10 * run_s + 60);
  planned->why.push_back({"time_limit_s", static_cast<std::int64_t>(planned->time_limit_s),
                          fmt::format("10 x {} + 60 s, rounded up: {}", duration_text(run_s),
                                      implementation.tuned_text("run_source")),
                          "time limit: a run this long is stuck"});
  predict_gpu_rates(*planned, request);
  // The trials go by the clock; what the host does is a measured half of the assumed time, or several times
  // it.
  planned->predicted.push_back({"wall_time_s", run_s, timed_s + host_s / 2, timed_s + host_s * 4});
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace shakedown::gemm
