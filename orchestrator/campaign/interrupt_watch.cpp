#include "orchestrator/campaign/interrupt_watch.hpp"

#include <signal.h>
#include <utility>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/stop_note.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {

void InterruptWatch::look() {
  const int count = Interrupts::count();
  const bool cancel = !context_.cancelled && end_requested(context_.folder);
  if (count <= seen_ && !cancel) return;
  seen_ = count;
  context_.cancelled = context_.cancelled || cancel;
  const bool ends_nothing = context_.outlives_us() && count <= 1 && !context_.cancelled;
  if (!std::exchange(reported_, true)) report(ends_nothing);
  if (ends_nothing) return;
  end_jobs(/*at_once=*/count > 1);
}

void InterruptWatch::report(bool ends_nothing) {
  Event event;
  event.kind = Event::Kind::interrupted;
  if (!context_.running.empty())
    if (const RunningStep* step = context_.running.front().lanes.front().current())
      event = events_.of_case(Event::Kind::interrupted, step->work, step->place.index);
  event.text = ends_nothing ? "it goes on in its job; once more to end it" : "once more to kill it at once";
  events_.report(std::move(event));
}

void InterruptWatch::end_jobs(bool at_once) {
  context_.ending = true;
  queue_.adopt_unsure();
  note_stop();
  for (RunningJob& running : context_.running) {
    running.ending = true;
    const auto asked = context_.scheduler->end(running.job, at_once);
    if (asked) continue;
    end_unanswered_ = true;
    events_.report_silent(to_string(asked.error()));
  }
}

bool InterruptWatch::wait_for_second() {
  // Who presses Ctrl-C twice wants the jobs to end too.
  const int count = Interrupts::count();
  if (context_.running.empty() || context_.cancelled || Interrupts::last_signal() != SIGINT) return false;
  for (const double until_s = Interrupts::last_s() + context_.options.pauses.second_interrupt_s;
       steady_s() < until_s;) {
    context_.scheduler->wait(until_s - steady_s());
    if (Interrupts::count() > count) return true;
  }
  return false;
}

void InterruptWatch::note_stop() const {
  const auto asked = context_.cancelled ? end_requester(context_.folder) : std::nullopt;
  const StopNote note = asked.value_or(stop_note(how_stopped(Interrupts::last_signal())));
  for (const RunningJob& running : context_.running)
    for (const RunningLane& lane : running.lanes)
      for (const RunningStep& step : lane.steps) {
        std::error_code code;
        if (step.collected || !fs::exists(step.place.folder(), code)) continue;
        // A full disk must not keep it from ending what runs: the attempt then says less.
        static_cast<void>(put_stop_note(step.place.folder(), note));
      }
}

}  // namespace shakedown
