#include "suites/hpl_mxp/precision.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::hpl_mxp {
namespace {

bool has_fp8(const NodeGroup& nodes, const Implementation& implementation) {
  if (nodes.gpus.empty()) return false;
  const Gpu& gpu = nodes.gpus.front();
  const std::string words = implementation.tuned_text("fp8_gpus");
  return gpu.peak.fp8_dense_tflops.has_value() ||
         std::ranges::any_of(split(words, ' '), [&](std::string_view word) { return gpu_is(gpu, word); });
}

}  // namespace

Result<Precision> planned_precision(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const std::string listed = implementation.tuned_text("precisions");
  std::vector<std::string> offered;
  for (const std::string_view each : split(listed, ' ')) offered.emplace_back(each);
  const bool fp8 = has_fp8(*request.group, implementation);
  const std::string own = implementation.tuned_text("precision");
  const std::string pinned = request.pinned_text("precision");
  Precision precision;
  precision.name = pinned.empty() ? own : pinned;
  if (std::ranges::find(offered, precision.name) == offered.end())
    return fail("MXP-02",
                fmt::format("'{}' factors in {}, not in the pinned '{}'", implementation.id,
                            joined(offered, " or "), precision.name),
                fmt::format("precision = \"{}\"", own));
  precision.sloppy_type = precision.name == "FP8" ? 1 : 2;
  precision.why = {
      "precision", precision.name,
      pinned.empty() ? fmt::format("for {} on these {}", implementation.id,
                                   implementation.rank_per == "gpu" ? "GPUs" : "processors")
                     : fmt::format("the rule gives {}", own),
      pinned.empty() ? implementation.tuned_text("precision_source") : "pinned in the configuration"};
  if (precision.name == "FP8" && !fp8 && !request.group->gpus.empty())
    return fail(
        "requirements",
        fmt::format("FP8 is pinned and '{}' is not known to have it", request.group->gpus.front().model),
        fmt::format("precision = \"{}\", or state fp8_dense_tflops of the GPUs in the inventory", own));
  if (precision.name == "FP8")
    precision.warnings.emplace_back(
        "FP8: HPL-MxP's rules require at least 16 bits from after the list of June 2025 on, so the result is "
        "not "
        "eligible for the list; it compares with results in FP8 under the former rules only (MXP-02)");
  return precision;
}

}  // namespace shakedown::hpl_mxp
