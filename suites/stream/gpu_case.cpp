#include "suites/stream/gpu_case.hpp"

#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::stream {
namespace {

constexpr double bytes_of_element = 8;
constexpr double three_arrays = 3;

void predict_triad(Case& planned, const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  double gb_s = 0;
  for (const Gpu& gpu : request.group->gpus) {
    if (!gpu.peak.memory_bandwidth_gb_s) {
      planned.model.text =
          "no rate is predicted: the inventory does not give the bandwidth of the GPUs' memory";
      return;
    }
    gb_s += *gpu.peak.memory_bandwidth_gb_s;
  }
  const auto share = [&](const char* name, double fallback) {
    return gb_s * 1000 * implementation.tuned(name, fallback);
  };
  planned.predicted.push_back(
      {"triad_mb_s", share("share_of_peak", 0.9), share("least_of_peak", 0.8), share("most_of_peak", 1)});
  planned.model.source = "spec";
  planned.model.text = fmt::format("{} of {:.5g} GB/s of {} GPUs: {}",
                                   percent_text(implementation.tuned("share_of_peak", 0.9), 1), gb_s,
                                   request.group->gpus.size(), implementation.tuned_text("share_source"));
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
  auto elements = static_cast<std::int64_t>(implementation.tuned("elements_per_gpu", 536870912));
  const auto least = static_cast<std::int64_t>(implementation.tuned("least_elements_per_gpu", 67108864));
  const UsableMemory memory = usable_gpu_memory(*request.group);
  const double usable = implementation.memory_fraction * static_cast<double>(memory.bytes);
  const auto wanted = [&] { return three_arrays * bytes_of_element * static_cast<double>(elements); };
  while (usable > 0 && wanted() > usable && elements / 2 >= least) elements /= 2;
  if (usable > 0 && wanted() > usable)
    return fail("STREAM-06",
                fmt::format("three arrays of {} elements take {} of a GPU, {} of its {} are {}", elements,
                            bytes_text(wanted()), percent_text(implementation.memory_fraction, 0),
                            bytes_text(static_cast<double>(memory.bytes)), bytes_text(usable)),
                "GPUs with more memory");
  const auto times = static_cast<std::int64_t>(implementation.tuned("times", 10));
  planned->parameters = {
      {"gpus", gpus}, {"elements", gpus * elements}, {"elements_per_gpu", elements}, {"times", times}};
  planned->why.push_back({"elements_per_gpu", elements, implementation.tuned_text("elements_source"),
                          "STREAM-06: STREAM 5.10, stream.c: each array at least 4 times the caches"});
  predict_triad(*planned, request);
  const auto count = static_cast<double>(gpus);
  const double wall_s = implementation.tuned("start_s", 10) +
                        count * implementation.tuned("seconds_per_gpu", 3) +
                        count * (count - 1) * implementation.tuned("seconds_per_pair", 0.1);
  planned->predicted.push_back({"wall_time_s", wall_s, wall_s / 4, wall_s * 4});
  planned->time_limit_s = std::ceil(10 * wall_s + 60);
  planned->why.push_back({"time_limit_s", static_cast<std::int64_t>(planned->time_limit_s),
                          fmt::format("10 x {} + 60 s, rounded up: {}", duration_text(wall_s),
                                      implementation.tuned_text("time_source")),
                          "time limit: a run this long is stuck"});
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace shakedown::stream
