// What has ended, and what follows from how it did.
#include "orchestrator/campaign/pass.hpp"

#include <algorithm>

#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/retry.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/run_directory.hpp"

namespace shakedown {
namespace {

constexpr int max_lost_in_a_row = 3;  // then something kills our jobs: starting more helps nobody
constexpr double grace_s = 10;        // between SIGTERM and SIGKILL
constexpr double settle_s = 10;       // that a shared file system may take to show what a job wrote last

}  // namespace

Result<void> Pass::look() {
  for (std::size_t i = 0; i < running_.size();) {
    if (auto looked = look_at(running_[i]); !looked) return looked;
    if (!running_[i].collected()) {
      ++i;
      continue;
    }
    for (const RunningLane& lane : running_[i].lanes) dispatcher_.release(lane.pool);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    hold_until_s_ = 0;
  }
  return {};
}

Result<void> Pass::look_at(RunningJob& running) {
  // Asked before the files are read: what a job wrote before it went is then there.
  const JobStanding standing = scheduler_->standing(running.job, is_silent(running));
  for (RunningLane& lane : running.lanes)
    while (RunningStep* step = lane.current()) {
      if (const auto finished = read_finished(step->place.folder())) {
        const bool told = standing.phase == JobStanding::Phase::gone;
        if (by_others(running, *finished) && !told) break;  // who ended it is worth waiting for
        tell_start(running, *step);
        if (auto done = conclude(running, *step, lane, told ? &standing : nullptr); !done) return done;
        continue;
      }
      const auto started = read_started(step->place.folder());
      if (started && !started->abandoned) tell_start(running, *step);
      break;
    }
  if (running.collected()) return {};
  if (standing.phase == JobStanding::Phase::pending) tell_waiting(running, standing);
  if (standing.phase != JobStanding::Phase::gone) {
    running.gone_since_s.reset();
    return {};
  }
  if (!running.gone_since_s) running.gone_since_s = steady_s();
  if (leaves() && steady_s() - *running.gone_since_s < settle_s) return {};
  return lost_job(running);
}

bool Pass::by_others(const RunningJob& running, const Finished& finished) const {
  return leaves() && !running.ending && finished.state == to_string(AttemptState::interrupted) &&
         now_s() - finished.finished_s < 10 * settle_s;
}

bool Pass::is_silent(RunningJob& running) const {
  constexpr double patience_s = 5;
  if (running.gone_since_s) return true;
  for (RunningLane& lane : running.lanes) {
    const RunningStep* step = lane.current();
    if (step == nullptr) continue;
    if (const auto finished = read_finished(step->place.folder()); finished && by_others(running, *finished))
      return true;
    const double limit_s = step->place.planned->time_limit_s;
    const double since_s = step->since_s.value_or(running.submitted_s);
    if (!step->since_s && steady_s() - since_s > patience_s) return true;
    if (limit_s > 0 && steady_s() - since_s > limit_s + grace_s) return true;
    if (steady_s() - since_s > options_.silence_s) return true;
  }
  return false;
}

Result<void> Pass::conclude(RunningJob& running, RunningStep& step, const RunningLane& lane,
                            const JobStanding* standing) {
  if (standing != nullptr && standing->end != JobEnd::unknown)
    if (auto said = write_file(step.place.folder() / "scheduler.json", standing_json(*standing)); !said)
      return said;
  const auto attempt = collected(step.work, step.place);
  if (!attempt) return pass_on(attempt);
  step.collected = true;
  const bool lost = attempt->state == AttemptState::lost;
  lost_in_a_row_ = lost ? lost_in_a_row_ + 1 : 0;
  if (lost && !leaves() && lost_in_a_row_ >= max_lost_in_a_row)
    return fail_environment(
        step.place.folder().string(),
        fmt::format("{} attempts in a row ended without finished.json", lost_in_a_row_),
        "the job's own files there tell more; is the disk full, does something kill jobs here?");
  const Retry retry = retry_after(*attempt, hosts_of(running.job, lane), standing);
  for (const std::string& node : retry.blamed)
    if (auto blamed = blame(node, running.job.id, retry.because); !blamed) return blamed;
  // A launcher that can't start here won't the next time: elsewhere it may.
  const bool elsewhere = pool_.size() > lane.pool.size() && !step.place.planned->bound;
  const bool sensible = attempt->state == AttemptState::lost || elsewhere;
  // What waited behind others did not fail with them; a job that nothing of could be started did.
  const bool unstartable =
      standing != nullptr && standing->end == JobEnd::failed &&
      std::ranges::none_of(lane.steps, [](const RunningStep& each) { return each.since_s.has_value(); });
  const bool never_began = lost && attempt->started_s <= 0 && !unstartable;
  if (retry.again && sensible && !running.ending &&
      (never_began || ++lost_[step.work] < options_.attempts_max)) {
    dispatcher_.again(step.work);
    Event event = event_of(Event::Kind::case_again, step.work, step.place.index);
    event.text = retry.because;
    tell(event);
  } else {
    settle(step.work, *attempt);
  }
  return {};
}

}  // namespace shakedown
