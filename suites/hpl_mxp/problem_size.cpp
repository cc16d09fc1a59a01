#include "suites/hpl_mxp/problem_size.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/memory_share.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::hpl_mxp {
namespace {

constexpr std::int64_t least_block = 64;
constexpr std::int64_t most_block = 65'536;

/// What the configuration and the hardware give before a size is chosen.
struct Frame {
  std::string owner;     ///< whose memory it is: "GPUs", "nodes"
  double available = 0;  ///< memory of all of them, bytes
  double bytes = 0;      ///< what the matrix may take of it
  double bytes_per_element = 4;
  std::int64_t quantum = 1024;
  std::int64_t most = 0;  ///< the largest N that memory allows
  std::string because;
  std::string source;
};

Frame frame_of(const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  const bool gpus = implementation.rank_per == "gpu";
  const UsableMemory each = gpus ? usable_gpu_memory(*request.group) : usable_host_memory(*request.group);
  const int count = gpus ? layout.ranks() : layout.nodes;
  Frame frame;
  frame.owner = gpus ? "GPUs" : "nodes";
  frame.available = static_cast<double>(each.bytes) * count;
  const MemoryShare part = memory_share(implementation, layout.nodes);
  frame.bytes = part.fraction * frame.available;
  frame.source = part.source;
  frame.bytes_per_element = implementation.tuned("bytes_per_element", 4);
  frame.quantum = std::max<std::int64_t>(1, static_cast<std::int64_t>(implementation.tuned("quantum", 1024)));
  frame.because = fmt::format("{} x {} {} x {}", part.fraction, bytes_text(static_cast<double>(each.bytes)),
                              each.because, plural(count, gpus ? "GPU" : "node"));
  return frame;
}

Result<void> take_pinned(ProblemSize& size, std::int64_t N, const Frame& frame) {
  const double elements = static_cast<double>(N) * static_cast<double>(N);
  const double bytes = frame.bytes_per_element * elements;
  if (bytes > frame.available)
    return fail("MXP-size",
                fmt::format("the pinned N = {} needs {} for its matrix, and the {} have {}", N,
                            bytes_text(bytes), frame.owner, bytes_text(frame.available)),
                fmt::format("N = {} fits", frame.most));
  if (bytes > frame.bytes)
    size.warnings.push_back(fmt::format("the pinned N = {} fills {} of the {}' memory, more than {}", N,
                                        percent_text(bytes / frame.available), frame.owner, frame.because));
  if (size.NB > N)
    return fail("MXP-size", fmt::format("NB = {} is larger than the pinned N = {}", size.NB, N),
                fmt::format("pin NB too, or N of at least {}", size.NB));
  size.N = N;
  size.why.push_back(
      {"N", N, fmt::format("memory would allow {}", frame.most), "pinned in the configuration"});
  return {};
}

/// The largest multiple of the quantum, of at least NB, with a predicted run within the wished time.
std::int64_t order_within(double seconds, const Frame& frame, std::int64_t NB, const RunTime& model) {
  std::int64_t fits = std::max<std::int64_t>(1, (NB + frame.quantum - 1) / frame.quantum);
  for (std::int64_t too_long = frame.most / frame.quantum + 1; too_long - fits > 1;) {
    const std::int64_t middle = fits + (too_long - fits) / 2;
    (model.wished_s(static_cast<double>(middle * frame.quantum)) <= seconds ? fits : too_long) = middle;
  }
  return std::min(fits * frame.quantum, frame.most);
}

void derive(ProblemSize& size, const PlanRequest& request, const Frame& frame, const RunTime& model) {
  size.N = frame.most;
  std::string because = fmt::format("the largest multiple of {} with {} N^2 bytes <= {} = {}", frame.quantum,
                                    frame.bytes_per_element, frame.because, bytes_text(frame.bytes));
  std::string rule = frame.source;
  if (request.time_s > 0 && !model.applies)
    size.warnings.push_back(fmt::format("no model of the run time applies: N is not cut to the wished {}",
                                        duration_text(request.time_s)));
  if (request.time_s > 0 && model.applies && model.wished_s(static_cast<double>(size.N)) > request.time_s) {
    size.N = order_within(request.time_s, frame, size.NB, model);
    const double seconds = model.wished_s(static_cast<double>(size.N));
    because = fmt::format(
        "the largest multiple of {} with a predicted run of at most {} ({}); memory would allow {}",
        frame.quantum, duration_text(request.time_s), duration_text(seconds), frame.most);
    rule = "the wished run time, by the prediction's model";
    if (seconds > request.time_s)
      size.warnings.push_back(fmt::format("the smallest N takes {} already: longer than the wished {}",
                                          duration_text(seconds), duration_text(request.time_s)));
  }
  size.why.push_back({"N", size.N, because, rule});
}

}  // namespace

std::int64_t largest_order(double bytes, double bytes_per_element, std::int64_t quantum) {
  if (!(bytes > 0)) return 0;
  return static_cast<std::int64_t>(std::sqrt(bytes / bytes_per_element) / static_cast<double>(quantum)) *
         quantum;
}

Result<ProblemSize> problem_size(const PlanRequest& request, const RankLayout& layout, const RunTime& model) {
  const Implementation& implementation = *request.implementation;
  const auto N = request.pinned("N");
  if (!N) return failure_of(N);
  const auto NB = request.pinned("NB");
  if (!NB) return failure_of(NB);
  if (NB->value_or(1) > most_block)
    return fail("pin NB", fmt::format("{} is no block size", NB->value_or(0)),
                fmt::format("at most {}", most_block));
  Frame frame = frame_of(request, layout);
  if (frame.available <= 0)
    return fail("MXP-size",
                fmt::format("no memory is known of the {} '{}'", frame.owner == "GPUs" ? "GPUs of" : "nodes",
                            request.group->name),
                frame.owner == "GPUs" ? "state memory_gib of the GPUs in the inventory"
                                      : "state memory_bytes in the inventory");
  const auto own = std::max<std::int64_t>(1, static_cast<std::int64_t>(implementation.tuned("NB", 4096)));
  ProblemSize size;
  size.NB = NB->value_or(own);
  const auto measure = [&] {
    frame.quantum = std::min(frame.quantum, size.NB);
    frame.most = largest_order(frame.bytes, frame.bytes_per_element, frame.quantum);
  };
  measure();
  while (!*NB && frame.most < size.NB && size.NB / 2 >= least_block) {
    size.NB /= 2;
    measure();
  }
  if (frame.most < size.NB)
    return fail("MXP-size",
                fmt::format("{} = {} do not hold one block with NB = {}", frame.because,
                            bytes_text(frame.bytes), size.NB),
                fmt::format("{} with more memory, or a smaller NB", frame.owner));
  if (*N) {
    if (auto taken = take_pinned(size, N->value_or(0), frame); !taken) return failure_of(taken);
  } else {
    derive(size, request, frame, model);
  }
  size.why.push_back(
      {"NB", size.NB,
       *NB ? fmt::format("{} is the rule's own", own)
       : size.NB == own
           ? fmt::format("for {} on any {}", implementation.id, frame.owner == "GPUs" ? "GPU" : "processor")
           : fmt::format("halved from {} until a block fits the memory", own),
       *NB ? std::string("pinned in the configuration") : implementation.tuned_text("NB_source")});
  if (size.N % size.NB != 0)
    size.warnings.push_back(
        fmt::format("N = {} is no multiple of NB = {} ({} blocks): allowed, the last block is "
                    "smaller",
                    size.N, size.NB, grouped(static_cast<double>(size.N) / static_cast<double>(size.NB), 6)));
  return size;
}

}  // namespace shakedown::hpl_mxp
