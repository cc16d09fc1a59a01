#include "orchestrator/campaign/progress_events.hpp"

#include <algorithm>
#include <utility>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"

namespace shakedown {
namespace {

constexpr double calm_s = 0.2;  // between two heartbeats at least

}  // namespace

int ProgressEvents::steps_running() const {
  int count = 0;
  for (const RunningJob& running : context_.running)
    for (const RunningLane& lane : running.lanes)
      count += static_cast<int>(std::ranges::count_if(
          lane.steps, [](const RunningStep& step) { return step.since_s && !step.collected; }));
  return count;
}

Event ProgressEvents::of_case(Event::Kind kind, std::size_t work, int attempt) const {
  Event event;
  event.kind = kind;
  event.planned = &context_.planned(work);
  event.number = static_cast<int>(work) + 1;
  event.attempt = attempt;
  return event;
}

void ProgressEvents::report(Event event) {
  if (!context_.options.listener) return;
  if (holding_) {
    held_.push_back(std::move(event));
    return;
  }
  event.of = static_cast<int>(context_.campaign.cases.size());
  event.running = steps_running();
  event.campaign = &context_.campaign;
  changed_ = true;
  context_.options.listener(event);
}

void ProgressEvents::report_held() {
  holding_ = false;
  for (Event& event : std::exchange(held_, {})) report(std::move(event));
}

bool ProgressEvents::report_start(const RunningJob& running, RunningStep& step) {
  if (step.since_s) return false;
  const auto started = read_started(step.place.folder());
  const bool known = started && started->started_s > 0;
  step.since_s = steady_s() - (known ? std::max(0.0, now_s() - started->started_s) : 0);
  Event event = of_case(Event::Kind::case_started, step.work, step.place.index);
  event.adopted = running.adopted;
  event.job = running.job.id;
  report(event);
  return true;
}

void ProgressEvents::report_waiting(RunningJob& running, const std::string& reason) {
  if (running.reported_reason == reason) return;
  running.reported_reason = reason;
  Event event;
  event.kind = Event::Kind::job_waiting;
  event.job = running.job.id;
  event.text = reason;
  event.hosts = folded_hostlist(running.job.hosts());
  report(event);
}

void ProgressEvents::report_running() {
  if (steady_s() - running_s_ < context_.options.heartbeat_s) return;
  running_s_ = steady_s();
  for (const RunningJob& running : context_.running)
    for (const RunningLane& lane : running.lanes) {
      const auto step = std::ranges::find(lane.steps, false, &RunningStep::collected);
      if (step == lane.steps.end()) continue;
      const std::optional<double> since_s = step->since_s;
      if (!since_s) continue;
      Event event = of_case(Event::Kind::case_running, step->work, step->place.index);
      event.elapsed_s = steady_s() - *since_s;
      report(event);
    }
}

void ProgressEvents::report_silent(std::string words) {
  if (std::exchange(silent_, true)) return;
  Event event;
  event.kind = Event::Kind::scheduler_silent;
  std::ranges::replace(words, '\n', ' ');
  event.text = std::move(words);
  report(event);
}

bool ProgressEvents::heartbeat_due() const {
  if (!context_.options.listener || holding_) return false;
  const double pause_s = context_.options.heartbeat_s;
  return steady_s() - heartbeat_s_ >= (changed_ ? std::min(calm_s, pause_s) : pause_s);
}

void ProgressEvents::heartbeat(std::span<const CaseProgress> cases) {
  const double now = steady_s();
  CampaignProgress progress = campaign_progress(cases, static_cast<int>(context_.pool.size()));
  progress.elapsed_s = now - since_s_;
  progress.stopping = context_.stopping();
  progress.at_once = Interrupts::count() > 1;
  Event event;
  event.kind = Event::Kind::heartbeat;
  event.progress = &progress;
  report(event);
  heartbeat_s_ = now;
  changed_ = false;
}

}  // namespace shakedown
