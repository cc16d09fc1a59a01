#include "suites/mlperf/memory_use.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::mlperf {
namespace {

constexpr double logit_bytes = 6;  // of a token and word: in BF16 as they come, in FP32 for the loss

std::string memory_text(const MemoryUse& use) {
  return fmt::format("{} of parameters, gradients and optimizer + {} of activations + {} of work space = {}",
                     bytes_text(use.state), bytes_text(use.activations), bytes_text(use.workspace),
                     bytes_text(use.total()));
}

}  // namespace

MemoryUse memory_use(const Parallelism& one, const Implementation& implementation) {
  const auto model = [&](std::string_view name) { return implementation.tuned(name, 0); };
  const double parameters = model("parameters_billion") * 1e9;
  if (parameters <= 0) return {};
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  const double copies = number(one.DP * one.CP);
  const double tokens = model("sequence") * number(one.MBS) / number(one.CP);
  MemoryUse use;
  use.state =
      parameters / number(one.TP * one.PP) * (model("state_bytes") + model("optimizer_bytes") / copies);
  const double in_flight = one.PP == 1 ? 1 : 1 + number(one.PP - 1) / (number(one.PP) * number(one.VP));
  use.activations = tokens / number(one.TP) *
                    (model("activation_bytes") * model("hidden") * model("layers") * in_flight +
                     logit_bytes * model("vocabulary"));
  use.workspace = model("workspace_gib") * gibi;
  return use;
}

Result<void> check_memory(const Parallelism& one, const PlanRequest& request) {
  const MemoryUse use = memory_use(one, *request.implementation);
  const UsableMemory gpu = usable_gpu_memory(*request.group);
  const auto bytes = static_cast<double>(gpu.bytes);
  if (gpu.bytes <= 0 || use.total() <= bytes) return {};
  return fail("memory",
              fmt::format("TP {} x PP {} x CP {} with DP = {} and MBS = {} takes about {} a GPU, and "
                          "there are {}: {}",
                          one.TP, one.PP, one.CP, one.DP, one.MBS, bytes_text(use.total()), bytes_text(bytes),
                          memory_text(use)));
}

Reason explained_memory(const Parallelism& one, const PlanRequest& request) {
  const MemoryUse use = memory_use(one, *request.implementation);
  const UsableMemory gpu = usable_gpu_memory(*request.group);
  if (use.total() <= 0) return {};
  std::string because = memory_text(use);
  if (gpu.bytes > 0)
    because += fmt::format(", {} of {} {}", percent_text(use.total() / static_cast<double>(gpu.bytes), 0),
                           bytes_text(static_cast<double>(gpu.bytes)), gpu.because);
  return {"memory_per_gpu", bytes_text(use.total()), std::move(because),
          request.implementation->tuned_text("memory_source")};
}

Result<void> check_precision(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const std::string precision = implementation.tuned_text("precision");
  if (precision.empty() || request.group->gpus.empty()) return {};
  const Gpu& gpu = request.group->gpus.front();
  const std::string having = implementation.tuned_text("precision_gpus");
  const bool there =
      (precision == "FP8" && gpu.peak.fp8_dense_tflops.has_value()) ||
      std::ranges::any_of(words(having), [&](std::string_view word) { return gpu_is(gpu, word); });
  if (there) return {};
  return fail("requirements",
              fmt::format("the recipe trains in {} ({}), and '{}' is not known to have it", precision,
                          implementation.tuned_text("precision_source"), gpu.model),
              fmt::format("GPUs with {}: {}; or state its peak in the inventory", precision, having));
}

}  // namespace shakedown::mlperf
