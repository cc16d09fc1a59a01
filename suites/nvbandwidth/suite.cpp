#include "orchestrator/plan/suite.hpp"

#include <string>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/node_program.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::suite {

extern const Suite nvbandwidth;

namespace {

/// Seconds of all copies: each sample copies the buffer `copies` times, and verifies it once.
double copies_s(const Implementation& implementation, double gpus, double host_gb_s, double peer_gb_s) {
  constexpr double mib = kibi * kibi;
  const double bytes = implementation.tuned("buffer_mib", 512) * mib * implementation.tuned("samples", 3) *
                       (implementation.tuned("copies", 16) + 2);
  constexpr double directions = 2;
  return directions * bytes * (gpus / (host_gb_s * 1e9) + gpus * (gpus - 1) / (peer_gb_s * 1e9));
}

Result<Case> planned_nvbandwidth(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  auto planned = planned_node_program(request);
  if (!planned) return planned;
  const auto gpus = static_cast<double>(request.group->gpus.size());
  // Tests between GPUs are waived where there is one.
  std::string tests = implementation.tuned_text("host_tests");
  if (gpus > 1) tests += " " + implementation.tuned_text("peer_tests");
  planned->arguments.emplace_back("-t");
  for (const std::string_view test : words(tests)) planned->arguments.emplace_back(test);
  planned->parameters = {{"tests", tests}, {"gpus", static_cast<std::int64_t>(request.group->gpus.size())}};
  const double start = implementation.tuned("start_s", 20);
  add_time_limit(
      *planned,
      {.wall = {"wall_time_s", start + copies_s(implementation, gpus, 25, 100),
                start / 2 + copies_s(implementation, gpus, 60, 450),
                2 * start + copies_s(implementation, gpus, implementation.tuned("least_host_gb_s", 3),
                                     implementation.tuned("least_peer_gb_s", 5))},
       .times = 2,
       .because = fmt::format("all copies of {} GPU{} over the slowest links, {}", gpus, gpus == 1 ? "" : "s",
                              implementation.tuned_text("least_source"))});
  planned->model.text = "no rate is predicted: the inventory gives no rate of PCIe and NVLink";
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace

const Suite nvbandwidth = {
    .id = "nvbandwidth",
    .plan = planned_nvbandwidth,
    .only_by_name = true,
};

}  // namespace shakedown::suite
