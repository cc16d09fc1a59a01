#include "orchestrator/plan/suite.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/node_program.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::suite {

extern const Suite gpu_burn;

namespace {

constexpr std::array<std::string_view, 1> gpu_burn_pins = {"compare"};

Result<Case> planned_gpu_burn(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  auto planned = planned_node_program(request);
  if (!planned) return planned;
  const auto seconds = static_cast<std::int64_t>(
      std::max(10.0, request.time_s > 0 ? request.time_s : implementation.tuned("burn_s", 300)));
  planned->parameters = {{"seconds", seconds},
                         {"gpus", static_cast<std::int64_t>(request.group->gpus.size())}};
  planned->why.push_back({"seconds", seconds,
                          request.time_s > 0 ? "the run's minutes" : implementation.tuned_text("burn_source"),
                          "how long it burns"});
  if (const std::string compare = request.pinned_text("compare"); !compare.empty()) {
    if (!compare.starts_with('/'))
      return fail("pin compare", fmt::format("'{}' is no absolute path", compare),
                  "the kernel that is built with gpu_burn: /opt/gpu-burn/compare.fatbin (or .ptx)");
    for (const char* option : {"-h", "-l", "-d", "-tc"})
      if (compare.find(option) != std::string::npos)
        return fail("pin compare",
                    fmt::format("gpu_burn takes the '{}' in '{}' for its option", option, compare),
                    "a link to it at a path without '-h', '-l', '-d' and '-tc'");
    planned->arguments.insert(planned->arguments.end(), {"-c", compare});
  } else {
    planned->warnings.emplace_back(
        "gpu_burn looks for the kernel that compares (compare.fatbin, before 2026 compare.ptx) in its "
        "working "
        "folder, which is the run directory: state compare = \"/opt/gpu-burn/compare.fatbin\" in "
        "[runs.pins]");
  }
  planned->arguments.push_back(fmt::format("{}", seconds));  // behind the options
  const double run_s = static_cast<double>(seconds);
  add_time_limit(*planned,
                 {.wall = {"wall_time_s", run_s + implementation.tuned("ends_s", 40), run_s,
                           run_s + implementation.tuned("ends_s", 40) + implementation.tuned("start_s", 60)},
                  .times = 1,
                  .because = implementation.tuned_text("ends_source")});
  planned->model.text = "no rate is predicted: what counts is that no product comes out wrong";
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace

const Suite gpu_burn = {
    .id = "gpu-burn",
    .plan = planned_gpu_burn,
    .pins = gpu_burn_pins,
    .only_by_name = true,
};

}  // namespace shakedown::suite
