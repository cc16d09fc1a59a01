#include "orchestrator/plan/suite.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "suites/stream/gpu_case.hpp"

namespace shakedown::stream {
namespace {

/// The length of STREAM's three arrays.
struct ArraySize {
  std::int64_t elements_per_rank = 0;  ///< of one array, 8 bytes each
  std::vector<Reason> why;
  std::vector<std::string> warnings;
};

constexpr std::int64_t bytes_per_array_element = 8;
constexpr std::int64_t arrays = 3;
constexpr std::int64_t least_elements = 10'000'000;    // STREAM_ARRAY_SIZE where nobody sets it
constexpr std::int64_t most_elements = 2'000'000'000;  // of a rank, which counts them with 32 bits

/// The caches to outgrow on one node.
struct Caches {
  std::int64_t bytes = 0;
  bool assumed = false;
  std::string text;
};

Caches caches_of(const PlanRequest& request) {
  const NodeGroup& node = *request.group;
  const std::int64_t known = last_level_cache_bytes(node);
  if (known > 0)
    return {known, false, fmt::format("the last-level caches' {}", bytes_text(static_cast<double>(known)))};
  const double each = request.implementation->tuned("assumed_cache_mib_per_core", 32);
  const double bytes = each * kibi * kibi * usable_cores(node);
  return {static_cast<std::int64_t>(bytes), true,
          fmt::format("{} assumed at {:.0f} MiB a core", bytes_text(bytes), each)};
}

/// The shortest arrays that measure the memory and not the caches: on each node at least four times as large
/// as its last-level caches together, and no shorter than STREAM's own 10 million elements; the ranks of a
/// node share them evenly. If the inventory has no cache, the largest per core of any server processor is
/// assumed, and what memory allows.
///
/// Fails with rule STREAM-06 where memory does not hold them.
///
/// Source: STREAM 5.10, stream.c, instructions (1) and (a).
Result<ArraySize> array_size(const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  const Caches caches = caches_of(request);
  const std::int64_t ranks = layout.ranks_per_node;
  const auto shared = [&](std::int64_t elements) { return (elements + ranks - 1) / ranks; };
  std::int64_t each =
      shared(std::max(least_times_caches * caches.bytes / bytes_per_array_element, least_elements));
  each = std::min(each, most_elements);

  const UsableMemory memory = usable_host_memory(*request.group);
  const double usable = implementation.memory_fraction * static_cast<double>(memory.bytes);
  const auto wanted = static_cast<double>(arrays * bytes_per_array_element * ranks * each);
  ArraySize size;
  if (memory.bytes > 0 && wanted > usable) {
    if (!caches.assumed)
      return fail(
          "STREAM-06",
          fmt::format("three arrays of {} x {} take {} a node, {} of the {} {} are {}", least_times_caches,
                      caches.text, bytes_text(wanted), percent_text(implementation.memory_fraction, 0),
                      bytes_text(static_cast<double>(memory.bytes)), memory.because, bytes_text(usable)),
          "nodes with more free memory");
    each = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(usable) / (arrays * bytes_per_array_element * ranks));
  }
  if (caches.assumed)
    size.warnings.push_back(fmt::format("the inventory does not give the caches: {} ({})", caches.text,
                                        implementation.tuned_text("assumed_cache_source")));
  size.elements_per_rank = each;
  size.why.push_back(
      {"elements_per_rank", each,
       fmt::format("{} x {} / {} bytes, at least {} million, shared by the {} rank{} of a node",
                   least_times_caches, caches.text, bytes_per_array_element, least_elements / 1'000'000,
                   ranks, ranks == 1 ? "" : "s"),
       "STREAM-06: STREAM 5.10, stream.c: each array at least 4 times the caches"});
  return size;
}

}  // namespace
}  // namespace shakedown::stream

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
