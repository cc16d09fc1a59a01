#include "orchestrator/campaign/recovery.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {

Recovery::Recovery(ExecutionContext& context, ProgressEvents& events, AttemptLedger& ledger)
    : context_(context), events_(events), ledger_(ledger) {
  for (const CaseRecord& record : context.campaign.cases)
    last_stage_ = std::max(last_stage_, record.planned.stage);
}

Result<void> Recovery::recover(JobBook& jobs) {
  if (auto recalled = ledger_.recall_failures(); !recalled) return recalled;
  std::map<std::string, RunningJob> open;
  for (std::size_t work = 0; work < context_.campaign.cases.size(); ++work) {
    AttemptPlace place{context_.folder, &context_.planned(work),
                       std::max(last_attempt(context_.folder / context_.planned(work).id),
                                context_.journal.last_intended(context_.planned(work).id))};
    if (auto stored = record_earlier(place); !stored) return stored;
    for (int k = 1; k < place.index; ++k)
      ledger_.of(work).spent_s +=
          ended_wall_s(AttemptPlace{context_.folder, &context_.planned(work), k}.folder());
    if (place.index == 0) continue;
    ledger_.of(work).attempts = place.index;
    const auto finished = read_finished(place.folder());
    // Without its logs what ran looks as if it had never started.
    if (const auto ended = context_.journal.ended_for_good(context_.planned(work).id);
        ended && place.index == context_.journal.last_intended(context_.planned(work).id) &&
        !(finished && is_done(ended_state(place, *finished)))) {
      if (auto missing = recover_without_files(work, place, *ended); !missing) return missing;
      continue;
    }
    if (finished) {
      if (auto settled = recover_ended(work, place, *finished, jobs.seat(place)); !settled) return settled;
      continue;
    }
    if (context_.outlives_us() && ledger_.is_spent(work) &&
        context_.journal.machine_failures().contains({context_.planned(work).id, place.index})) {
      const auto attempt = collected_again(work, place);
      if (!attempt) return failure_of(attempt);
      ledger_.end_case(work, *attempt);
      events_.report(Event::Kind::case_skipped, work, place.index);
      continue;
    }
    if (!fs::exists(place.folder())) continue;  // only the journal knows of it: it never began
    // What an earlier execution claimed never began and never will.
    if (const auto started = read_started(place.folder()); started && started->abandoned) continue;
    // Nor does the scheduler remember for ever what it reported.
    const JobSeat seat = jobs.seat(place);
    if (const auto recorded = recorded_job_state(place.folder())) {
      if (auto lost = recover_lost(work, place, *recorded, seat); !lost) return lost;
      continue;
    }
    // Another attempt was decided on, and never began.
    if (context_.outlives_us() &&
        context_.journal.machine_failures().contains({context_.planned(work).id, place.index}))
      continue;
    RunningJob& running = open[seat.job->id];
    if (running.lanes.empty()) {
      running.job = *seat.job;
      running.lanes.resize(seat.job->lanes.size());
    }
    RunningLane& lane = running.lanes[static_cast<std::size_t>(seat.lane - seat.job->lanes.data())];
    lane.hosts = seat.lane->hosts;
    lane.steps.push_back({work, place, {}, false});
  }
  std::vector<KnownJob> known;
  known.reserve(open.size());
  for (const auto& [id, running] : open) known.push_back({&running.job, context_.journal.known_as(id)});
  not_adopted_ = context_.outlives_us() ? static_cast<int>(known.size()) : 0;
  if (!known.empty())
    if (auto asked = context_.scheduler->expect(known); !asked) return asked;
  for (auto& [id, job] : open) {
    if (auto adopted = adopt(std::move(job)); !adopted) return adopted;
    --not_adopted_;
  }
  not_adopted_ = 0;
  return {};
}

Result<void> Recovery::record_earlier(AttemptPlace place) {
  const int last = place.index;
  for (place.index = 1; place.index < last; ++place.index) {
    const auto stored = ledger_.is_recorded(place);
    if (!stored) return failure_of(stored);
    if (*stored || !fs::exists(place.folder())) continue;
    const AttemptRecord attempt = ledger_.read(place);
    if (auto recorded = ledger_.record(place, attempt); !recorded) return recorded;
  }
  return {};
}

Result<void> Recovery::recover_ended(std::size_t work, const AttemptPlace& place, const Finished& finished,
                                     const JobSeat& seat) {
  const auto stored = ledger_.is_recorded(place);
  if (!stored) return failure_of(stored);
  ledger_.note_end(finished.finished_s);
  const AttemptState state = ended_state(place, finished);
  const bool clean = state == AttemptState::finished && !finished.signal &&
                     finished.exit_code.value_or(0) == 0 &&
                     !context_.journal.has_failed(place.planned->id, place.index);
  const bool below = place.planned->stage < last_stage_;
  // Who looks for the machine's hand in a failure needs its log, as who judges a stage does.
  if (*stored && (clean || !context_.outlives_us()) && !(below && is_done(state))) {
    ledger_.of(work).spent_s += ended_wall_s(place.folder());
    if (!is_done(state)) return {};
    ledger_.of(work).end = clean ? CaseState::done : CaseState::failed;
    context_.dispatcher.end(work);
    events_.report(Event::Kind::case_skipped, work, place.index);
    return {};
  }
  const auto attempt = collected_again(work, place);
  if (!attempt) return failure_of(attempt);
  const auto recorded = recorded_job_state(place.folder());
  const AttemptEnd end{work,  place, seat.job->id, seat.lane->hosts, recorded ? &*recorded : nullptr,
                       false, ""};
  const auto again = ledger_.decide_retry(end, *attempt);
  if (!again) return failure_of(again);
  if (*again || (!is_done(attempt->state) && !ledger_.is_spent(work))) return {};
  ledger_.end_case(work, *attempt);
  if (*stored) events_.report(Event::Kind::case_skipped, work, place.index);
  return {};
}

Result<void> Recovery::recover_without_files(std::size_t work, const AttemptPlace& place,
                                             AttemptState ended) {
  const auto stored = context_.database.has_attempt(context_.campaign.id, place.planned->id, place.index);
  if (!stored) return failure_of(stored);
  if (!*stored)
    return ledger_.give_up(
        work, "lost: " + missing_files_text(place, ended) + ". The store does not hold it either");
  Event event = events_.of_case(Event::Kind::case_skipped, work, place.index);
  event.text = missing_files_text(place, ended) + "; the result in the store stays valid";
  events_.report(event);
  const auto campaign = context_.database.campaign(context_.campaign.id);
  if (!campaign) return failure_of(campaign);
  for (const CaseRecord& record : campaign->cases) {
    if (record.planned.id != place.planned->id) continue;
    for (const AttemptRecord& attempt : record.attempts) {
      if (attempt.index != place.index) continue;
      ledger_.note_end(attempt.finished_s);
      ledger_.end_case(work, attempt);
    }
  }
  return {};
}

Result<void> Recovery::recover_lost(std::size_t work, const AttemptPlace& place, const JobState& reported,
                                    const JobSeat& seat) {
  const auto attempt = collected_again(work, place);
  if (!attempt) return failure_of(attempt);
  const AttemptEnd end{work, place, seat.job->id, seat.lane->hosts, &reported, false, ""};
  const auto again = ledger_.decide_retry(end, *attempt);
  if (!again) return failure_of(again);
  // It had its time and its memory. What was cancelled, or lost with its node, begins again.
  const bool over =
      reported.end == JobEnd::timed_out || reported.end == JobEnd::out_of_memory || ledger_.is_spent(work);
  if (*again || !over) return {};
  ledger_.end_case(work, *attempt);
  events_.report(Event::Kind::case_skipped, work, place.index);
  return {};
}

Result<AttemptRecord> Recovery::collected_again(std::size_t work, const AttemptPlace& place) {
  const auto stored = ledger_.is_recorded(place);
  if (!stored) return failure_of(stored);
  if (!*stored) return ledger_.collected(work, place);
  ledger_.of(work).spent_s += ended_wall_s(place.folder());
  return ledger_.read(place);
}

Result<void> Recovery::adopt(RunningJob running) {
  std::erase_if(running.lanes, [](const RunningLane& lane) { return lane.steps.empty(); });
  running.known_as = context_.journal.known_as(running.job.id);
  if (!context_.outlives_us())
    if (auto here = check_host(running); !here) return here;
  // A job of this machine that has not begun waits for nobody: whoever started it is gone.
  bool open = context_.outlives_us();
  for (RunningLane& lane : running.lanes)
    for (RunningStep& step : lane.steps) {
      if (context_.outlives_us()) continue;
      const auto abandoned = abandon_unstarted(step.place.folder());
      if (!abandoned) return failure_of(abandoned);
      open = open || !*abandoned;
    }
  bool taken = false;
  if (open) {
    const auto adopted = context_.scheduler->adopt(running.job, running.known_as);
    if (!adopted) return failure_of(adopted);
    taken = *adopted;
  }
  if (!taken) {
    if (auto left = abandon_cancelled(running); !left) return left;
    return ledger_.collect_lost(running);
  }
  for (std::size_t i = 0; i < running.lanes.size(); ++i) {
    RunningLane& lane = running.lanes[i];
    lane.pool = context_.pool_places(lane.hosts);
    DispatchedLane begun{lane.pool, {}};
    for (const RunningStep& step : lane.steps) begun.works.push_back(step.work);
    context_.dispatcher.adopt(begun);
  }
  running.submitted_s = steady_s();
  running.adopted = true;
  context_.running.push_back(std::move(running));
  return {};
}

Result<void> Recovery::abandon_cancelled(RunningJob& running) {
  if (!context_.outlives_us() ||
      context_.scheduler->state(running.job, /*ask=*/false).end != JobEnd::cancelled)
    return {};
  for (RunningLane& lane : running.lanes)
    for (RunningStep& step : lane.steps) {
      if (read_finished(step.place.folder()) || read_started(step.place.folder())) continue;
      const auto abandoned = abandon_unstarted(step.place.folder());
      if (!abandoned) return failure_of(abandoned);
      step.collected = *abandoned;
    }
  return {};
}

Result<void> Recovery::check_host(const RunningJob& running) const {
  if (context_.options.lock.by_force) return {};  // who breaks a lock knows that its host is gone
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
          fmt::format("resume on {}, where it is known whether it still runs. If that host is gone: `{}` "
                      "counts the attempt as lost, and retries the case here",
                      started->host,
                      command_for("resume --break-lock " + context_.campaign.id,
                                  context_.folder.parent_path().parent_path())));
    }
  return {};
}

}  // namespace shakedown
