#include "orchestrator/plan/node_program.hpp"

#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {

Result<Case> planned_node_program(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  if (request.hosts.size() != 1)
    return fail("one node",
                fmt::format("{} measures the node that it is started on, and {} nodes are wanted",
                            suite_title(implementation.suite), request.hosts.size()),
                "each_node = true in [[runs]], or --nodes 1");
  const auto layout = rank_layout("node", *request.group, 1);
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  planned->screen = true;
  // It uses all processors of the node by itself.
  planned->binding = "none";
  return planned;
}

void add_time_limit(Case& planned, const ToolTime& time) {
  planned.predicted.push_back(time.wall);
  planned.time_limit_s = std::ceil(time.times * time.wall.high + time.start_s);
  planned.why.push_back(
      {"time_limit_s", static_cast<std::int64_t>(planned.time_limit_s),
       fmt::format("{} x {} + {} to start, rounded up: {}", number(time.times, 3),
                   duration_text(time.wall.high), duration_text(time.start_s), time.because),
       "time limit: a run this long is stuck"});
}

}  // namespace shakedown
