#include "suites/hpl/problem_size.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/memory_share.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::hpl {
namespace {

constexpr double gpu_work_space = 8 * gibi;  // NVIDIA's samples: about 10 GiB of 80 GB beside the matrix
constexpr int least_block = 8;
constexpr std::int64_t most_block = 65'536;
constexpr double full_enough = 0.70;  // HPL-06: a smaller matrix under-reports the machine

MatrixMemory gpu_matrix_memory(const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  const UsableMemory each = usable_gpu_memory(*request.group);
  const MemoryShare part = memory_share(implementation, layout.nodes);
  const auto visible = static_cast<double>(each.bytes);
  const double share = part.fraction * visible;
  const double cap = visible - gpu_work_space;
  MatrixMemory memory{std::min(share, cap) * layout.ranks(),
                      visible * layout.ranks(),
                      cap * layout.ranks(),
                      "",
                      part.source,
                      each.because};
  memory.because = cap < share ? fmt::format("({} {} - 8 GiB of work space) x {}", bytes_text(visible),
                                             each.because, plural(layout.ranks(), "GPU"))
                               : fmt::format("{} x {} {} x {}", part.fraction, bytes_text(visible),
                                             each.because, plural(layout.ranks(), "GPU"));
  return memory;
}

struct Block {
  int NB = 0;
  std::string because;
};

Block block_size(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const std::string& vector = request.group->cpu.vector_extension;
  if (const double NB = implementation.tuned("NB_" + vector, 0); NB >= 1 && !vector.empty())
    return {static_cast<int>(NB), fmt::format("for {} on processors with {}", implementation.id, vector)};
  return {static_cast<int>(std::max(1.0, implementation.tuned("NB", 128))),
          fmt::format("for {} on any processor", implementation.id)};
}

void explain_block(ProblemSize& size, const Block& block, const Implementation& implementation) {
  std::string because = block.because;
  if (size.NB < block.NB) because = fmt::format("halved from {} until a block fits the memory", block.NB);
  size.why.push_back({"NB", std::int64_t{size.NB}, because, implementation.tuned_text("NB_source")});
}

}  // namespace

Result<MatrixMemory> matrix_memory(const PlanRequest& request, const RankLayout& layout) {
  MatrixMemory memory;
  if (request.implementation->rank_per == "gpu") {
    memory = gpu_matrix_memory(request, layout);
    if (const double each = memory.available / layout.ranks(); each > 0 && each <= gpu_work_space)
      return fail(
          "HPL-06",
          fmt::format("the program's work space of {} on each GPU exceeds its memory of {} by {}",
                      bytes_text(gpu_work_space), bytes_text(each), bytes_text(gpu_work_space - each)),
          "GPUs with more memory");
  } else {
    const UsableMemory node = usable_host_memory(*request.group);
    memory.available = static_cast<double>(node.bytes) * layout.nodes;
    memory.most = memory.available;
    memory.bytes = request.implementation->memory_fraction * memory.available;
    memory.because =
        fmt::format("{:.2f} x {} {} x {}", request.implementation->memory_fraction,
                    bytes_text(static_cast<double>(node.bytes)), node.because, plural(layout.nodes, "node"));
    memory.rule = request.implementation->tuned_text("memory_source");
    memory.of = layout.nodes == 1
                    ? node.because  // "available now on a node", "... on 8 nodes"
                    : node.because.substr(0, node.because.rfind("a node")) + plural(layout.nodes, "node");
  }
  if (memory.bytes > 0) return memory;
  return fail("HPL-06",
              fmt::format("no memory is known for the matrix on the nodes '{}'", request.group->name),
              "state memory_bytes in the inventory");
}

std::int64_t largest_order(double bytes, int NB) {
  if (!(bytes > 0)) return 0;
  return static_cast<std::int64_t>(std::sqrt(bytes / 8) / NB) * NB;
}

std::int64_t order_within(double seconds, std::int64_t most, int NB, const RunTime& model) {
  std::int64_t fits = 1;  // in blocks; the wall time grows with N
  for (std::int64_t too_long = most / NB + 1; too_long - fits > 1;) {
    const std::int64_t middle = fits + (too_long - fits) / 2;
    (model.wall_s(static_cast<double>(middle * NB)) <= seconds ? fits : too_long) = middle;
  }
  return fits * NB;
}

namespace {

/// N as the configuration pins it: a matrix that does not fit is refused, one beyond its share warned about.
Result<void> take_pinned_order(ProblemSize& size, std::int64_t N, const MatrixMemory& memory,
                               std::int64_t most) {
  const double bytes = 8.0 * static_cast<double>(N) * static_cast<double>(N);
  if (bytes > memory.most)
    return fail(
        "HPL-06",
        fmt::format(
            "the pinned N = {} needs {} for its matrix, and {} are there for it{}: it exceeds them by {}", N,
            bytes_text(bytes), bytes_text(memory.most),
            memory.most < memory.available ? " beside the program's work space" : "",
            bytes_text(bytes - memory.most)),
        fmt::format("N = {} fits", most));
  if (bytes > memory.bytes)
    size.warnings.push_back(fmt::format("the pinned N = {} fills {} of the memory, more than {} = {}", N,
                                        percent_text(bytes / memory.available), memory.because,
                                        bytes_text(memory.bytes)));
  if (size.NB > N)
    return fail("HPL-06", fmt::format("NB = {} is larger than the pinned N = {}", size.NB, N),
                fmt::format("pin NB too, or N of at least {}", size.NB));
  if (N % size.NB != 0)
    size.warnings.push_back(fmt::format("N = {} is no multiple of NB = {} (HPL-06)", N, size.NB));
  size.N = N;
  size.why.push_back({"N", N, fmt::format("memory would allow {}", most), "pinned in the configuration"});
  return {};
}

/// The published run that took the longest, by its N and its rate.
struct PublishedTime {
  double seconds = 0;  ///< 0: none is known
  std::string system;
  std::string source;
};

PublishedTime longest_published(const std::vector<PublishedResult>& results) {
  PublishedTime longest;
  for (const PublishedResult& run : results) {
    if (run.metric != "rmax_gflops" || !(run.N > 0)) continue;
    const double seconds = operations(run.N) / (run.value * 1e9);
    if (seconds > longest.seconds) longest = {seconds, run.system, run.source};
  }
  return longest;
}

/// A matrix below what memory allows.
struct Shortened {
  const PlanRequest& request;
  const RunTime& model;
  const PublishedTime& longest;
  std::int64_t most = 0;  ///< N that memory allows
  std::int64_t planned = 0;
};

/// Why its whole run would take longer than any published one: by a rate that is only assumed, by FP64 alone,
/// by the network, or only at the slow end of a wide range. `seconds`: that it would take, `predicted` says
/// by which end.
std::string because_shorter(const Shortened& run, double seconds, std::string_view predicted) {
  const auto N = static_cast<double>(run.most);
  const Gpu& gpu = run.request.group->gpus.front();
  const bool stated = stated_fp64_gflops(gpu) > 0;
  if (run.model.assumed && !stated)
    return fmt::format(
        "the FP64 rate of '{}' is assumed{}: N = {} would take {} {}, longer than the longest published run "
        "({} of {}), so N = {} is planned; a peak in [groups.gpus.peak] of the inventory bounds it better",
        gpu.model, catalogued(gpu).row == nullptr ? ", the GPU is not in the catalogue" : "", run.most,
        duration_text(seconds), predicted, duration_text(run.longest.seconds), run.longest.system,
        run.planned);
  if (run.model.wall_s(N) <= run.longest.seconds)
    return fmt::format(
        "the range of predicted rates is wide: N = {} would take {} as predicted and {} at its slow end, "
        "longer "
        "than the longest published run ({} of {}), so N = {} is planned",
        run.most, duration_text(run.model.wall_s(N)), duration_text(seconds),
        duration_text(run.longest.seconds), run.longest.system, run.planned);
  if (run.model.computing_s(N) <= run.longest.seconds)
    return fmt::format(
        "the network is slow for so large a matrix: N = {} would take {} {}, {} of computing as predicted, "
        "so N = "
        "{} is planned",
        run.most, duration_text(seconds), predicted, duration_text(run.model.computing_s(N)), run.planned);
  const Implementation& implementation = *run.request.implementation;
  const std::string emulation = implementation.tuned_text("fp64_emulation");
  return fmt::format(
      "native FP64 of '{}' is slow for its memory: N = {} would take {} {}, so N = {} is planned{}",
      gpu.model, run.most, duration_text(seconds), predicted, run.planned,
      emulation.empty()
          ? ""
          : fmt::format("; {}/{} can emulate FP64 ({}), as another result than the native one: {} "
                        "in its environment in [[site.programs]]",
                        implementation.suite, implementation.id,
                        implementation.tuned_text("fp64_emulation_source"), emulation));
}

/// No run is planned to take longer than any published one. Where the range is too wide for a prediction its
/// longest end counts, else the predicted time.
void bound_by_published(ProblemSize& size, const PlanRequest& request, std::int64_t most,
                        const RunTime& model) {
  const Implementation& implementation = *request.implementation;
  const PublishedTime longest = longest_published(implementation.results);
  const bool wide = 1 + model.band_high > widest_prediction * (1 - model.band_low);
  const double slower = wide ? 1 / (1 - model.band_low) : 1;
  const auto time_s = [&](std::int64_t N) { return slower * model.wall_s(static_cast<double>(N)); };
  if (!(longest.seconds > 0) || time_s(most) <= longest.seconds) return;
  size.N = order_within(longest.seconds / slower, most, size.NB, model);
  const double rate = model.rate(static_cast<double>(size.N)) / model.rate(static_cast<double>(most));
  const std::string_view predicted = wide ? "at the slow end of its range" : "as predicted";
  size.why.push_back(
      {"N", size.N,
       fmt::format("the largest multiple of {} whose run takes, {}, no longer than the longest published one "
                   "on GPUs, {} of {}; memory would allow {}, which takes {} and has {} of the rate",
                   size.NB, predicted, duration_text(longest.seconds), longest.system, most,
                   duration_text(time_s(most)), percent_text(1 / rate, 1)),
       longest.source});
  size.warnings.push_back(because_shorter({request, model, longest, most, size.N}, time_s(most), predicted));
}

/// N as memory allows, or as the wished run time does where that is less.
void derive_order(ProblemSize& size, const PlanRequest& request, const MatrixMemory& memory,
                  std::int64_t most, const RunTime& model) {
  size.N = most;
  if (!(request.time_s > 0)) {
    bound_by_published(size, request, most, model);
    if (size.N < most) return;
  }
  std::string because = fmt::format("the largest multiple of {} with 8 N^2 <= {} = {}", size.NB,
                                    memory.because, bytes_text(memory.bytes));
  std::string rule = memory.rule;
  if (request.time_s > 0 && model.wall_s(static_cast<double>(most)) > request.time_s) {
    size.N = order_within(request.time_s, most, size.NB, model);
    const double wall = model.wall_s(static_cast<double>(size.N));
    because = fmt::format(
        "the largest multiple of {} with a predicted run of at most {} ({} at N = {}); memory would "
        "allow {}",
        size.NB, duration_text(request.time_s), duration_text(wall), size.N, most);
    rule = "the wished run time, by the prediction's model";
    if (wall > request.time_s)
      size.warnings.push_back(fmt::format("one block takes {} already: longer than the wished {}",
                                          duration_text(wall), duration_text(request.time_s)));
  }
  size.why.push_back({"N", size.N, because, rule});
}

void warn_of_small_matrix(ProblemSize& size, const MatrixMemory& memory) {
  const auto N = static_cast<double>(size.N);
  const double filled = 8 * N * N / memory.available;
  if (filled < full_enough)
    size.warnings.push_back(
        fmt::format("N = {} fills {} of the {} of memory {}: a matrix below 70 % gives a lower rate than the "
                    "machine can reach (HPL-06)",
                    size.N, percent_text(filled), bytes_text(memory.available), memory.of));
}

}  // namespace

Result<ProblemSize> problem_size(const PlanRequest& request, const RankLayout& layout, const RunTime& model) {
  const auto memory = matrix_memory(request, layout);
  if (!memory) return failure_of(memory);
  const auto pinned_N = request.pinned("N");
  if (!pinned_N) return failure_of(pinned_N);
  const auto pinned_NB = request.pinned("NB");
  if (!pinned_NB) return failure_of(pinned_NB);
  const std::int64_t N = pinned_N->value_or(0);
  const std::int64_t NB = pinned_NB->value_or(0);
  if (NB > most_block)
    return fail("pin NB", fmt::format("{} is no block size", NB), fmt::format("at most {}", most_block));
  const Block block =
      NB > 0 ? Block{static_cast<int>(NB), "pinned in the configuration"} : block_size(request);
  ProblemSize size;
  size.NB = block.NB;
  while (NB == 0 && largest_order(memory->bytes, size.NB) == 0 && size.NB / 2 >= least_block) size.NB /= 2;
  const std::int64_t most = largest_order(memory->bytes, size.NB);
  if (most == 0)
    return fail("HPL-06",
                fmt::format("{} = {} do not hold one block of HPL's matrix with NB = {}", memory->because,
                            bytes_text(memory->bytes), size.NB),
                "free memory, or raise the job's limit");
  if (N > 0) {
    if (auto taken = take_pinned_order(size, N, *memory, most); !taken) return failure_of(taken);
  } else {
    derive_order(size, request, *memory, most, model);
  }
  explain_block(size, block, *request.implementation);
  const bool bound_by_wish_or_pin = N > 0 || request.time_s > 0;
  if (size.N == most || bound_by_wish_or_pin) warn_of_small_matrix(size, *memory);
  return size;
}

}  // namespace shakedown::hpl
