#include "suites/mlperf/parallelism.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/secrets.hpp"

namespace shakedown::mlperf {
namespace {

std::int64_t model_value(const Implementation& implementation, std::string_view name) {
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
  const std::int64_t layers = model_value(implementation, "layers");
  if (layers % (one.PP * one.VP) != 0)
    return broken(fmt::format("{} layers are no multiple of PP x VP = {} x {}", layers, one.PP, one.VP));
  const std::int64_t heads = model_value(implementation, "heads");
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
  const std::int64_t least = model_value(implementation, "least_closed_GBS");
  const std::int64_t most = model_value(implementation, "most_closed_GBS");
  if (most > 0 && (one.GBS < least || one.GBS > most))
    warnings.push_back(
        fmt::format("GBS = {} is outside the closed division's {} to {} (ML-04): performance only, not "
                    "closed-compliant",
                    one.GBS, least, most));
  const std::int64_t most_reference = model_value(implementation, "most_reference_GBS");
  if (most_reference > 0 && one.GBS > most_reference)
    warnings.push_back(
        fmt::format("GBS = {} is above the largest reference convergence point ({}): an official score needs "
                    "its own (ML-05)",
                    one.GBS, most_reference));
  return warnings;
}

namespace {

std::string exported(std::string_view name, std::string_view value) {
  return fmt::format("export {}={}\n", name, shell_quoted(value));
}

std::string exported(std::string_view name, std::int64_t value) {
  return fmt::format("export {}={}\n", name, value);
}

}  // namespace

std::string config(const PlanRequest& request, const Parallelism& one, const Case& planned,
                   std::span<const Parameter> scale, int minutes) {
  const Implementation& implementation = *request.implementation;
  std::string text = fmt::format("# {}, planned by shakedown; sourced in the container\n", planned.id);
  const std::string common = implementation.tuned_text("common");
  for (const std::string_view file : words(common)) text += fmt::format(". \"$WORK_DIR/{}\" || exit\n", file);
  // The common files set some of them, too: these come after.
  const auto add = [&](const Parameter& variable) {
    if (const Value* value = find_parameter(planned.environment, variable.name);
        value != nullptr && !is_reference(value_text(*value)))  // job.sh exports a secret
      text += exported(variable.name, value_text(*value));
  };
  std::ranges::for_each(implementation.environment, add);
  std::ranges::for_each(scale, add);
  const auto nodes = static_cast<std::int64_t>(request.hosts.size());
  text += exported("DGXSYSTEM", planned.id);
  text += exported("DGXNNODES", nodes);
  text += exported("DGXNGPU", one.gpus / nodes);
  text += exported("NEXP", 1);
  text += exported("WALLTIME_RUNANDTIME", minutes);
  text += exported("WALLTIME", minutes + 10);
  text += exported("MINIBS", one.minibatch());
  const std::array<std::pair<std::string_view, std::int64_t>, 5> division = {
      {{"TP", one.TP}, {"PP", one.PP}, {"VP", one.VP}, {"CP", one.CP}, {"MBS", one.MBS}}};
  const std::string no_VP = implementation.tuned_text("export_no_VP");
  for (const auto& [name, value] : division)
    if (const std::string variable = implementation.tuned_text(fmt::format("export_{}", name));
        !variable.empty())
      text += name == "VP" && value == 1 && !no_VP.empty() ? exported(variable, no_VP)
                                                           : exported(variable, value);
  // Not the planned host: repetitions run beside each other on nodes of their own.
  text += fmt::format("export MASTER_ADDR=\"${{{}:?the host of rank 0}}\"\n", first_host_variable);
  text += "export MASTER_PORT=\"${MASTER_PORT:-29500}\"\n";
  text += "export SEED=\"${SEED:-$((${SLURM_JOB_ID:-1} % 40000000 * 100 + ${SLURM_STEP_ID:-0} % 100))}\"\n";
  return text;
}

}  // namespace shakedown::mlperf
