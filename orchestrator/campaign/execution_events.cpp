// What a watcher is told.
#include "orchestrator/campaign/execution.hpp"

#include <algorithm>
#include <utility>

#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/run_directory.hpp"

namespace shakedown {

int Execution::steps_running() const {
  int count = 0;
  for (const RunningJob& running : running_)
    for (const RunningLane& lane : running.lanes)
      count += static_cast<int>(std::ranges::count_if(
          lane.steps, [](const RunningStep& step) { return step.since_s && !step.collected; }));
  return count;
}

Event Execution::event_of(Event::Kind kind, std::size_t work, int attempt) const {
  Event event;
  event.kind = kind;
  event.planned = &planned(work);
  event.number = static_cast<int>(work) + 1;
  event.attempt = attempt;
  return event;
}

void Execution::tell(Event event) const {
  if (!options_.listener) return;
  event.of = static_cast<int>(campaign_.cases.size());
  event.running = steps_running();
  event.campaign = &campaign_;
  changed_ = true;
  options_.listener(event);
}

void Execution::tell_start(const RunningJob& running, RunningStep& step) {
  if (step.since_s) return;
  heard_s_ = steady_s();
  const auto started = read_started(step.place.folder());
  const bool known = started && started->started_s > 0;
  step.since_s = steady_s() - (known ? std::max(0.0, now_s() - started->started_s) : 0);
  Event event = event_of(Event::Kind::case_started, step.work, step.place.index);
  event.adopted = adopted_.contains(running.job.id);
  event.job = running.job.id;
  tell(event);
}

void Execution::tell_waiting(RunningJob& running, const JobState& job_state) const {
  if (running.told_reason == job_state.reason) return;
  running.told_reason = job_state.reason;
  Event event;
  event.kind = Event::Kind::job_waiting;
  event.job = running.job.id;
  event.text = job_state.reason;
  event.hosts = folded_hostlist(running.job.hosts());
  tell(event);
}

void Execution::tell_running() {
  for (RunningJob& running : running_)
    for (RunningLane& lane : running.lanes) {
      const RunningStep* step = lane.current();
      if (step == nullptr || !step->since_s) continue;
      Event event = event_of(Event::Kind::case_running, step->work, step->place.index);
      event.elapsed_s = steady_s() - *step->since_s;
      tell(event);
    }
}

void Execution::tell_silent(std::string words) {
  if (std::exchange(silent_, true)) return;
  Event event;
  event.kind = Event::Kind::scheduler_silent;
  std::ranges::replace(words, '\n', ' ');
  event.text = std::move(words);
  tell(event);
}

}  // namespace shakedown
