#include "orchestrator/campaign/running_job.hpp"

#include <algorithm>

namespace shakedown {

RunningStep* RunningLane::current() {
  const auto it = std::ranges::find(steps, false, &RunningStep::collected);
  return it == steps.end() ? nullptr : &*it;
}

bool RunningJob::collected() const {
  return std::ranges::all_of(lanes, [](const RunningLane& lane) {
    return std::ranges::all_of(lane.steps, &RunningStep::collected);
  });
}

bool RunningJob::began() const {
  return std::ranges::any_of(lanes, [](const RunningLane& lane) {
    return std::ranges::any_of(lane.steps,
                               [](const RunningStep& step) { return step.collected || step.since_s; });
  });
}

}  // namespace shakedown
