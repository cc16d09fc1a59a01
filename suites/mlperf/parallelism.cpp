#include "suites/mlperf/parallelism.hpp"

#include "orchestrator/core/units.hpp"

namespace shakedown::mlperf {
namespace {

constexpr double large_bubble = 0.05;

std::int64_t model_figure(const Implementation& implementation, std::string_view name) {
  return static_cast<std::int64_t>(implementation.tuned(name, 0));
}

std::string copy_text(const Parallelism& one) {
  return one.CP == 1 ? fmt::format("TP x PP = {}", one.model_gpus())
                     : fmt::format("TP x PP x CP = {}", one.model_gpus());
}

}  // namespace

double Parallelism::bubble() const {
  return static_cast<double>(PP - 1) / static_cast<double>(VP * microbatches());
}

Result<void> check_parallelism(const Parallelism& one, const Implementation& implementation) {
  const auto broken = [](std::string what) { return fail("ML-09", std::move(what)); };
  if (one.gpus < one.model_gpus())
    return broken(fmt::format("{} GPU{} < {}", one.gpus, one.gpus == 1 ? "" : "s", copy_text(one)));
  if (one.gpus % one.model_gpus() != 0)
    return broken(fmt::format("{} GPUs are no multiple of {}", one.gpus, copy_text(one)));
  if (one.DP * one.model_gpus() != one.gpus)
    return broken(fmt::format("DP = {} does not fill {} GPUs with {}", one.DP, one.gpus, copy_text(one)));
  if (one.GBS % (one.DP * one.MBS) != 0)
    return broken(fmt::format("GBS = {} is no multiple of DP x MBS = {} x {}", one.GBS, one.DP, one.MBS));
  const std::int64_t layers = model_figure(implementation, "layers");
  if (layers % (one.PP * one.VP) != 0)
    return broken(fmt::format("{} layers are no multiple of PP x VP = {} x {}", layers, one.PP, one.VP));
  const std::int64_t heads = model_figure(implementation, "heads");
  if (heads % one.TP != 0) return broken(fmt::format("{} heads are no multiple of TP = {}", heads, one.TP));
  if (one.VP > 1 && one.microbatches() % one.PP != 0)
    return broken(fmt::format("{} microbatches are no multiple of PP = {}, as VP = {} needs",
                              one.microbatches(), one.PP, one.VP));
  return {};
}

std::vector<std::string> unwise(const Parallelism& one, std::int64_t gpus_per_node,
                                const Implementation& implementation) {
  std::vector<std::string> warnings;
  if (one.TP > gpus_per_node)
    warnings.push_back(
        fmt::format("TP = {} spans several nodes of {} GPUs: each layer waits for the network (ML-09)",
                    one.TP, gpus_per_node));
  if (one.bubble() > large_bubble)
    warnings.push_back(
        fmt::format("the pipeline's bubble is {}, above 5 % (ML-09)", percent_text(one.bubble())));
  const std::int64_t least = model_figure(implementation, "least_closed_GBS");
  const std::int64_t most = model_figure(implementation, "most_closed_GBS");
  if (most > 0 && (one.GBS < least || one.GBS > most))
    warnings.push_back(
        fmt::format("GBS = {} is outside the closed division's {} to {} (ML-04): performance only, not "
                    "closed-compliant",
                    one.GBS, least, most));
  const std::int64_t most_reference = model_figure(implementation, "most_reference_GBS");
  if (most_reference > 0 && one.GBS > most_reference)
    warnings.push_back(
        fmt::format("GBS = {} is above the largest reference convergence point ({}): an official score needs "
                    "its own (ML-05)",
                    one.GBS, most_reference));
  return warnings;
}

}  // namespace shakedown::mlperf
