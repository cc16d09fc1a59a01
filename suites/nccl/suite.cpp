#include "orchestrator/plan/suite.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/node_program.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/rank_layout.hpp"

namespace shakedown::suite {

extern const Suite nccl;

namespace {

constexpr std::array<std::string_view, 2> nccl_pins = {"min_bytes", "max_bytes"};

/// The largest message that fits beside its copies: a buffer to send, one to receive and the expected values.
/// nccl-tests leaves 1 GiB, and 1 GiB for each 16 GiB of memory, 4 at most, and cuts larger ones.
///
/// Source: NVIDIA/nccl-tests, src/common.cu (memMaxBytes).
double most_bytes(double memory) {
  constexpr double buffers = 3;
  const double reserve = std::min(std::ceil(memory / (16 * gibi)), 4.0) * gibi;
  return std::max(0.0, (memory - reserve - gibi) / buffers);
}

struct Sizes {
  std::int64_t least = 8;
  std::int64_t most = 0;
  Reason reason;
};

Result<Sizes> sizes_of(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto least = request.pinned("min_bytes");
  if (!least) return failure_of(least);
  const auto most = request.pinned("max_bytes");
  if (!most) return failure_of(most);
  const UsableMemory memory = usable_gpu_memory(*request.group);
  const double room = memory.bytes > 0 ? most_bytes(static_cast<double>(memory.bytes)) : 0;
  Sizes sizes;
  sizes.least = least->value_or(static_cast<std::int64_t>(implementation.tuned("min_bytes", 8)));
  if (const std::optional<std::int64_t> pinned = *most) {
    sizes.most = *pinned;
    if (room > 0 && static_cast<double>(sizes.most) > room)
      return fail("pin max_bytes",
                  fmt::format("messages of {} and their copies do not fit a GPU of {}",
                              bytes_text(sizes.most), bytes_text(memory.bytes)),
                  fmt::format("at most {:.0f}", room));
    sizes.reason = {"max_bytes", sizes.most, "pinned by the configuration", "pinned"};
  } else {
    sizes.most = static_cast<std::int64_t>(implementation.tuned("max_bytes", 8 * gibi));
    while (room > 0 && static_cast<double>(sizes.most) > room && sizes.most > sizes.least) sizes.most /= 2;
    sizes.reason = {"max_bytes", sizes.most,
                    fmt::format("the largest power of two up to {} whose three buffers fit a GPU{}: {}",
                                bytes_text(implementation.tuned("max_bytes", 8 * gibi)),
                                memory.bytes > 0 ? " of " + bytes_text(memory.bytes) : std::string(),
                                implementation.tuned_text("sizes_source")),
                    "nccl-tests keeps 3 buffers"};
  }
  if (sizes.most < sizes.least)
    return fail("pin min_bytes", fmt::format("{} is above the largest size, {}", sizes.least, sizes.most),
                "a smaller min_bytes, or a larger max_bytes");
  return sizes;
}

/// busbw / algbw among n ranks. Source: nccl-tests, doc/PERFORMANCE.md.
double factor_of(std::string_view collective, double n) {
  if (collective == "all_reduce") return 2 * (n - 1) / n;
  if (collective == "sendrecv") return 1;
  return (n - 1) / n;
}

/// The rate of the nodes' links to the network, GB/s of one node; 0: not known.
double network_gb_s(const NodeGroup& node) {
  constexpr double bits = 8;
  double sum = 0;
  for (const Nic& nic : node.nics)
    if (nic.gpu || nic.role == "compute") sum += nic.speed_gb_s / bits;
  return sum;
}

/// The rate of the slowest GPU's links to the others of its node, one way, GB/s; 0: not known.
double gpu_link_gb_s(const NodeGroup& node) {
  constexpr double ways = 2;
  double least = 0;
  for (const Gpu& gpu : node.gpus) {
    const double own = gpu.peak.link_gb_s.value_or(0) / ways;
    if (own <= 0) return 0;
    least = least <= 0 ? own : std::min(least, own);
  }
  return least;
}

/// Seconds of all sizes, out of place and in place, where the bus bandwidth reaches `busbw` at most.
double sweep_s(const Sizes& sizes, const Case& planned, const Implementation& implementation, double busbw) {
  const double n = planned.ranks;
  const double factor = factor_of(implementation.benchmark, n);
  const double calls = implementation.tuned("iters", 20) + implementation.tuned("warmup_iters", 5) + 1;
  const double call_s = implementation.tuned("call_us_per_doubling", 10) * 1e-6 * (1 + std::log2(n));
  constexpr double placements = 2;
  double seconds = 0;
  for (std::int64_t size = std::max<std::int64_t>(sizes.least, 1); size <= sizes.most; size *= 2) {
    seconds += placements * calls * (call_s + static_cast<double>(size) * factor / (busbw * 1e9));
    if (size > sizes.most / 2) break;
  }
  return seconds;
}

/// Start of the processes, CUDA and the communicator.
double start_s(const Case& planned, const Implementation& implementation) {
  return implementation.tuned("start_s", 20) + planned.ranks * implementation.tuned("start_s_per_rank", 0.05);
}

void predict_time(Case& planned, const PlanRequest& request, const Sizes& sizes) {
  const Implementation& implementation = *request.implementation;
  const double links = planned.nodes > 1 ? network_gb_s(*request.group) : gpu_link_gb_s(*request.group);
  const double floor =
      std::max(implementation.tuned("least_busbw_gb_s", 1), links * implementation.tuned("least_share", 0.1));
  const double good = std::max(4 * floor, links);
  const double start = start_s(planned, implementation);
  planned.model.text =
      links > 0 ? fmt::format(
                      "no rate is predicted: the links of a {} bear {} GB/s; what a collective makes of "
                      "them depends on its algorithm and the switches",
                      planned.nodes > 1 ? "node" : "GPU", number(links, 3))
                : "no rate is predicted: the inventory gives no rate of the links between these GPUs";
  add_time_limit(planned, {.wall = {"wall_time_s", start + sweep_s(sizes, planned, implementation, good / 2),
                                    start / 2, 2 * start + sweep_s(sizes, planned, implementation, floor)},
                           .times = 1.5,
                           .because = fmt::format(
                               "{} to start, then all sizes at {} GB/s, the least of a fabric that works",
                               duration_text(2 * start), number(floor, 3))});
}

Result<Case> planned_nccl(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto layout =
      rank_layout(implementation.rank_per, *request.group, static_cast<int>(request.hosts.size()));
  if (!layout) return failure_of(layout);
  if (layout->ranks() < 2)
    return fail("ranks", "one GPU alone has nobody to send to", "nodes with more GPUs, or 2 nodes");
  const auto sizes = sizes_of(request);
  if (!sizes) return failure_of(sizes);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  planned->screen = true;
  planned->parameters = {
      {"collective", implementation.benchmark},
      {"min_bytes", sizes->least},
      {"max_bytes", sizes->most},
      {"iters", static_cast<std::int64_t>(implementation.tuned("iters", 20))},
      {"warmup_iters", static_cast<std::int64_t>(implementation.tuned("warmup_iters", 5))}};
  planned->why.push_back(sizes->reason);
  predict_time(*planned, request, *sizes);
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace

const Suite nccl = {
    .id = "nccl",
    .plan = planned_nccl,
    .pins = nccl_pins,
    .only_by_name = true,
};

}  // namespace shakedown::suite
