#include "suites/mlperf/config.hpp"

#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/first_host.hpp"
#include "orchestrator/plan/secrets.hpp"

namespace shakedown::mlperf {
namespace {

std::string exported(std::string_view name, std::string_view value) {
  return fmt::format("export {}={}\n", name, shell_quoted(value));
}

std::string exported(std::string_view name, std::int64_t value) {
  return fmt::format("export {}={}\n", name, value);
}

}  // namespace

std::string config(const PlanRequest& request, const Parallelism& one, const Case& planned, int minutes) {
  const Implementation& implementation = *request.implementation;
  std::string text = fmt::format("# {}, planned by shakedown; sourced in the container\n", planned.id);
  const std::string common = implementation.tuned_text("common");
  for (const std::string_view file : words(common)) text += fmt::format(". \"$WORK_DIR/{}\" || exit\n", file);
  // The common files set some of them, too: these come after.
  for (const Parameter& variable : implementation.environment)
    if (const Value* value = find_parameter(planned.environment, variable.name);
        value != nullptr && !is_reference(value_text(*value)))  // job.sh exports a secret
      text += exported(variable.name, value_text(*value));
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
  for (const auto& [name, value] : division)
    if (const std::string variable = implementation.tuned_text(fmt::format("export_{}", name));
        !variable.empty())
      text += exported(variable, value);
  if (const double part = implementation.tuned("skip_evaluations_per_GBS", 0); part > 0)
    text += exported("SKIP_EVALS",
                     static_cast<std::int64_t>(std::floor(part * static_cast<double>(one.GBS) +
                                                          implementation.tuned("skip_evaluations", 0))));
  // Not the planned host: repetitions run beside each other on nodes of their own.
  text += fmt::format("export MASTER_ADDR=\"${{{}:?the host of rank 0}}\"\n", first_host_variable);
  text += "export MASTER_PORT=\"${MASTER_PORT:-29500}\"\n";
  text += "export SEED=\"${SEED:-$((${SLURM_JOB_ID:-1} % 40000000 * 100 + ${SLURM_STEP_ID:-0} % 100))}\"\n";
  return text;
}

}  // namespace shakedown::mlperf
