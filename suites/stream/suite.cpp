#include "orchestrator/plan/suite.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "suites/stream/array_size.hpp"
#include "suites/stream/gpu_case.hpp"

namespace shakedown::suite {

extern const Suite stream;

namespace {

using shakedown::stream::array_size;

constexpr double bytes_per_element = 8;
constexpr double arrays_a_round = 10;       // that the four kernels read and write together
constexpr double arrays_before_after = 10;  // filling them, and checking them

/// Seconds from start to end.
Prediction wall_time(const PlanRequest& request, double elements_per_node, double times) {
  const Implementation& implementation = *request.implementation;
  const NodeGroup& node = *request.group;
  const double gb_s = std::min(usable_cores(node) * implementation.tuned("gb_s_per_core", 10),
                               node.cpu.sockets * implementation.tuned("gb_s_per_socket", 100));
  const double bytes = (arrays_a_round * times + arrays_before_after) * elements_per_node * bytes_per_element;
  const double seconds = implementation.tuned("start_s", 1) + bytes / (gb_s * 1e9);
  return {"wall_time_s", seconds, seconds / 4, seconds * 4};
}

/// The channels' theoretical rate and what is published of it.
void predict_rate(Case& planned, const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const double peak = request.group->memory_bandwidth_gb_s.value_or(0);
  if (peak <= 0) {
    planned.model.text = "no rate is predicted: the inventory does not give the memory's bandwidth";
    return;
  }
  const auto share = [&](const char* name, double fallback) {
    return planned.nodes * peak * 1000 * implementation.tuned(name, fallback);
  };
  planned.predicted.push_back(
      {"triad_mb_s", share("share_of_peak", 0.8), share("least_of_peak", 0.6), share("most_of_peak", 1)});
  planned.model.source = "spec";
  planned.model.text = fmt::format(
      "{} of {:.4g} GB/s a node{}: {}", percent_text(implementation.tuned("share_of_peak", 0.8), 0), peak,
      request.group->memory_modules.empty() ? std::string()
                                            : fmt::format(" ({})", request.group->memory_modules),
      implementation.tuned_text("share_source"));
}

Result<Case> planned_stream(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  if (!implementation.requires_gpu.empty()) return shakedown::stream::gpu_case(request);
  const auto layout =
      rank_layout(implementation.rank_per, *request.group, static_cast<int>(request.hosts.size()));
  if (!layout) return failure_of(layout);
  const auto size = array_size(request, *layout);
  if (!size) return failure_of(size);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  planned->screen = true;
  add_notes(*planned, *size);
  const auto times = static_cast<std::int64_t>(implementation.tuned("times", 10));
  planned->parameters = {{"elements", size->elements_per_rank * layout->ranks()},
                         {"elements_per_rank", size->elements_per_rank},
                         {"times", times}};
  predict_rate(*planned, request);
  const Prediction wall =
      wall_time(request, static_cast<double>(size->elements_per_rank * layout->ranks_per_node),
                static_cast<double>(times));
  planned->predicted.push_back(wall);
  planned->time_limit_s = std::ceil(10 * wall.value + 60);
  planned->why.push_back({"time_limit_s", static_cast<std::int64_t>(planned->time_limit_s),
                          fmt::format("10 x {} + 60 s, rounded up: {}", duration_text(wall.value),
                                      implementation.tuned_text("time_source")),
                          "time limit: a run this long is stuck"});
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace

const Suite stream = {
    .id = "stream",
    .plan = planned_stream,
};

}  // namespace shakedown::suite
