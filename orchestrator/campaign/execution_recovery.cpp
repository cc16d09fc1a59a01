// What earlier executions left.
#include "orchestrator/campaign/execution.hpp"

#include <algorithm>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/command_line.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/run_directory.hpp"

namespace shakedown {

Result<void> Execution::take_stock() {
  auto jobs = known_jobs(folder_);
  if (!jobs) return failure_of(jobs);
  next_job_ = jobs->next;
  if (auto recalled = recall_failures(); !recalled) return recalled;
  std::map<std::string, RunningJob> unsettled;
  for (std::size_t work = 0; work < campaign_.cases.size(); ++work) {
    AttemptPlace place{
        folder_, &planned(work),
        std::max(last_attempt(folder_ / planned(work).id), journal_.last_intended(planned(work).id))};
    if (auto stored = store_earlier(place); !stored) return stored;
    for (int k = 1; k < place.index; ++k)
      spent_s_[work] += ended_wall_s(AttemptPlace{folder_, &planned(work), k}.folder());
    if (place.index == 0) continue;
    attempts_[work] = place.index;
    const auto finished = read_finished(place.folder());
    // Without its logs what ran looks as if it had never started.
    if (const auto ended = journal_.ended_for_good(planned(work).id);
        ended && place.index == journal_.last_intended(planned(work).id) &&
        !(finished && is_done(ended_state(place, *finished)))) {
      if (auto missing = files_missing(work, place, *ended); !missing) return missing;
      continue;
    }
    if (finished) {
      if (auto settled = settled_before(work, place, *finished, jobs->seat(place)); !settled) return settled;
      continue;
    }
    if (leaves() && spent(work) && journal_.machine_failures().contains({planned(work).id, place.index})) {
      const auto attempt = collected_before(work, place);
      if (!attempt) return failure_of(attempt);
      settle(work, *attempt);
      tell(Event::Kind::case_skipped, work, place.index);
      continue;
    }
    if (!fs::exists(place.folder())) continue;  // only the journal knows of it: it never began
    // What an earlier execution claimed never began and never will.
    if (const auto started = read_started(place.folder()); started && started->abandoned) continue;
    // Nor does the scheduler know for ever what it told.
    const JobSeat seat = jobs->seat(place);
    if (const auto told = recorded_job_state(place.folder())) {
      if (auto lost = lost_before(work, place, *told, seat); !lost) return lost;
      continue;
    }
    // Another attempt was decided on, and never began.
    if (leaves() && journal_.machine_failures().contains({planned(work).id, place.index})) continue;
    RunningJob& running = unsettled[seat.job->id];
    if (running.lanes.empty()) {
      running.job = *seat.job;
      running.lanes.resize(seat.job->lanes.size());
    }
    RunningLane& lane = running.lanes[static_cast<std::size_t>(seat.lane - seat.job->lanes.data())];
    lane.hosts = seat.lane->hosts;
    lane.steps.push_back({work, place, {}, false});
  }
  std::vector<KnownJob> known;
  known.reserve(unsettled.size());
  for (const auto& [id, running] : unsettled) known.push_back({&running.job, journal_.known_as(id)});
  not_adopted_ = leaves() ? static_cast<int>(known.size()) : 0;
  if (!known.empty())
    if (auto asked = scheduler_->expect(known); !asked) return asked;
  for (auto& [id, job] : unsettled) {
    if (auto adopted = adopt(std::move(job)); !adopted) return adopted;
    --not_adopted_;
  }
  not_adopted_ = 0;
  return {};
}

Result<void> Execution::store_earlier(AttemptPlace place) {
  const int last = place.index;
  for (place.index = 1; place.index < last; ++place.index) {
    const auto stored = is_recorded(place);
    if (!stored) return failure_of(stored);
    if (*stored || !fs::exists(place.folder())) continue;
    const AttemptRecord attempt =
        collected_attempt(place, campaign_.inventory, screens_.all(), campaign_.settings);
    if (auto recorded = record(place, attempt); !recorded) return recorded;
  }
  return {};
}

Result<void> Execution::settled_before(std::size_t work, const AttemptPlace& place, const Finished& finished,
                                       const JobSeat& seat) {
  const auto stored = is_recorded(place);
  if (!stored) return failure_of(stored);
  last_end_s_ = std::max(last_end_s_, finished.finished_s);
  const AttemptState state = ended_state(place, finished);
  const bool clean = state == AttemptState::finished && !finished.signal &&
                     finished.exit_code.value_or(0) == 0 &&
                     !journal_.has_failed(place.planned->id, place.index);
  const bool below = is_screen(*place.planned) || place.planned->stage < last_stage_;
  // Who looks for the machine's hand in a failure needs its log, as who judges a stage does.
  if (*stored && (clean || !leaves()) && !(below && is_done(state))) {
    spent_s_[work] += ended_wall_s(place.folder());
    if (!is_done(state)) return {};
    ends_[work] = clean ? CaseState::done : CaseState::failed;
    dispatcher_.end(work);
    tell(Event::Kind::case_skipped, work, place.index);
    return {};
  }
  const auto attempt = collected_before(work, place);
  if (!attempt) return failure_of(attempt);
  if (*stored && is_done(state)) screens_.remember(*place.planned, *attempt);
  const auto told = recorded_job_state(place.folder());
  const Ending ending{work, place, seat.job->id, seat.lane->hosts, told ? &*told : nullptr, false, ""};
  const auto again = begins_again(ending, *attempt);
  if (!again) return failure_of(again);
  if (*again || (!is_done(attempt->state) && !spent(work))) return {};
  settle(work, *attempt);
  if (*stored) tell(Event::Kind::case_skipped, work, place.index);
  return {};
}

Result<void> Execution::files_missing(std::size_t work, const AttemptPlace& place, AttemptState ended) {
  const auto stored = database_.has_attempt(campaign_.id, place.planned->id, place.index);
  if (!stored) return failure_of(stored);
  if (!*stored)
    return give_up(work, "lost: " + missing_files_text(place, ended) + ". The store does not hold it either");
  Event event = event_of(Event::Kind::case_skipped, work, place.index);
  event.text = missing_files_text(place, ended) + "; the stored result is kept";
  tell(event);
  const auto campaign = database_.campaign(campaign_.id);
  if (!campaign) return failure_of(campaign);
  for (const CaseRecord& record : campaign->cases) {
    if (record.planned.id != place.planned->id) continue;
    for (const AttemptRecord& attempt : record.attempts) {
      if (attempt.index != place.index) continue;
      screens_.remember(*place.planned, attempt);
      last_end_s_ = std::max(last_end_s_, attempt.finished_s);
      settle(work, attempt);
    }
  }
  return {};
}

Result<void> Execution::lost_before(std::size_t work, const AttemptPlace& place, const JobState& told,
                                    const JobSeat& seat) {
  const auto attempt = collected_before(work, place);
  if (!attempt) return failure_of(attempt);
  const Ending ending{work, place, seat.job->id, seat.lane->hosts, &told, false, ""};
  const auto again = begins_again(ending, *attempt);
  if (!again) return failure_of(again);
  // It had its time and its memory. What was cancelled, or lost with its node, begins again.
  const bool over = told.end == JobEnd::timed_out || told.end == JobEnd::out_of_memory || spent(work);
  if (*again || !over) return {};
  settle(work, *attempt);
  tell(Event::Kind::case_skipped, work, place.index);
  return {};
}

Result<AttemptRecord> Execution::collected_before(std::size_t work, const AttemptPlace& place) {
  const auto stored = is_recorded(place);
  if (!stored) return failure_of(stored);
  if (!*stored) return collected(work, place);
  spent_s_[work] += ended_wall_s(place.folder());
  return collected_attempt(place, campaign_.inventory, screens_.all(), campaign_.settings);
}

Result<void> Execution::adopt(RunningJob running) {
  std::erase_if(running.lanes, [](const RunningLane& lane) { return lane.steps.empty(); });
  running.known_as = journal_.known_as(running.job.id);
  if (!leaves())
    if (auto here = is_of_this_host(running); !here) return here;
  // A job of this machine that has not begun waits for nobody: whoever started it is gone.
  bool open = leaves();
  for (RunningLane& lane : running.lanes)
    for (RunningStep& step : lane.steps) {
      if (leaves()) continue;
      const auto abandoned = abandon_unstarted(step.place.folder());
      if (!abandoned) return failure_of(abandoned);
      open = open || !*abandoned;
    }
  bool taken = false;
  if (open) {
    const auto adopted = scheduler_->adopt(running.job, running.known_as);
    if (!adopted) return failure_of(adopted);
    taken = *adopted;
  }
  if (!taken) {
    if (auto left = leave_cancelled(running); !left) return left;
    return lost_job(running);
  }
  for (std::size_t i = 0; i < running.lanes.size(); ++i) {
    RunningLane& lane = running.lanes[i];
    lane.pool = pool_places(lane.hosts);
    DispatchedLane begun{lane.pool, {}};
    for (const RunningStep& step : lane.steps) begun.works.push_back(step.work);
    dispatcher_.adopt(begun);
  }
  running.submitted_s = steady_s();
  adopted_.insert(running.job.id);
  running_.push_back(std::move(running));
  return {};
}

Result<void> Execution::leave_cancelled(RunningJob& running) {
  if (!leaves() || scheduler_->state(running.job, /*ask=*/false).end != JobEnd::cancelled) return {};
  for (RunningLane& lane : running.lanes)
    for (RunningStep& step : lane.steps) {
      if (read_finished(step.place.folder()) || read_started(step.place.folder())) continue;
      const auto abandoned = abandon_unstarted(step.place.folder());
      if (!abandoned) return failure_of(abandoned);
      step.collected = *abandoned;
    }
  return {};
}

Result<void> Execution::is_of_this_host(const RunningJob& running) const {
  if (options_.lock.by_force) return {};  // who breaks a lock knows that its host is gone
  for (const RunningLane& lane : running.lanes)
    for (const RunningStep& step : lane.steps) {
      const auto started = read_started(step.place.folder());
      if (!started || started->abandoned || started->host.empty()) continue;
      if (started_where(*started) != StartedWhere::elsewhere) continue;
      const std::string where = started->host == host_name()
                                    ? started->host + " (another machine or container of that name)"
                                    : started->host;
      return fail_environment(
          step.place.folder().string(),
          fmt::format("was started on {} at {} and its end is not recorded", where,
                      utc_text(started->started_s)),
          fmt::format(
              "resume on {}, where it is known whether it still runs. If that host is gone: `{}` "
              "counts the attempt as lost, and retries the case here",
              started->host,
              command_for("resume --break-lock " + campaign_.id, folder_.parent_path().parent_path())));
    }
  return {};
}

Result<void> Execution::lost_job(RunningJob& running) {
  for (RunningLane& lane : running.lanes)
    for (RunningStep& step : lane.steps) {
      if (step.collected) continue;
      if (!read_finished(step.place.folder()) && !read_started(step.place.folder()))
        if (const auto abandoned = abandon_unstarted(step.place.folder()); !abandoned)
          return failure_of(abandoned);
      const JobState job_state = scheduler_->state(running.job, /*ask=*/false);
      if (auto done = conclude(running, step, lane, &job_state); !done) return done;
    }
  return {};
}

}  // namespace shakedown
