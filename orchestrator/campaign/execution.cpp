#include "orchestrator/campaign/execution.hpp"

#include <signal.h>
#include <algorithm>
#include <array>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/execution_progress.hpp"
#include "orchestrator/campaign/folder_files.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/secrets.hpp"

namespace shakedown {

Result<ExecutionEnd> Execution::run() {
  // What is recorded of an attempt is in its folder, which its wrapper synced, and the journal names the
  // attempt since before it began: the next execution records again what a power loss took from the store.
  if (auto deferred = context_.database.defer_sync(true); !deferred) return failure_of(deferred);
  auto end = executed();
  // A question that was cut short is no failure of the campaign's.
  if (end || !context_.outlives_us() || !Interrupts::unanswered()) return end;
  return ended();
}

Result<ExecutionEnd> Execution::executed() {
  if (auto set = context_.database.set_state(context_.campaign.id, CampaignState::running, 0); !set)
    return failure_of(set);
  if (auto begun = begin(); !begun) return failure_of(begun);
  if (auto recovered = recover(); !recovered) return failure_of(recovered);
  if (auto prepared = prepare_waiting(); !prepared) return failure_of(prepared);
  while (true) {
    if (auto renewed = context_.renew_lock(); !renewed) return failure_of(renewed);
    interrupts_.look();
    if (auto collected = collect(); !collected) return failure_of(collected);
    if (auto overlapped = collect_beside_next(); !overlapped) return failure_of(overlapped);
    if (context_.leaving() && interrupts_.wait_for_second()) continue;
    if (ends_now()) break;
    if (!context_.stopping())
      if (auto dispatched = dispatch(); !dispatched) return failure_of(dispatched);
    if (context_.running.empty()) {
      if (context_.stopping()) break;
      if (queue_.is_empty() && context_.dispatcher.waiting() == 0) {
        const auto again = disturbed_.measure_again();
        if (!again) return failure_of(again);
        if (*again) continue;
        break;
      }
      const auto any = replanner_.give_up_impossible(/*idle=*/queue_.is_empty());
      if (!any) return failure_of(any);
      if (*any) continue;
    }
    heartbeat();
    if (!context_.scheduler->wait(pause_s())) events_.report_running();
  }
  return ended();
}

bool Execution::ends_now() {
  if (context_.leaving()) return true;  // its jobs go on
  // So do those that can't be ended.
  return context_.ending && context_.outlives_us() &&
         (interrupts_.is_end_unanswered() || Interrupts::unanswered());
}

Result<void> Execution::begin() {
  CampaignRecord& campaign = context_.campaign;
  forget_end_request(context_.folder);
  if (auto noted = context_.journal.begin_execution(); !noted) return noted;
  for (CaseRecord& record : campaign.cases) {
    if (record.not_run.empty()) continue;
    record.not_run.clear();
    if (auto put = context_.database.record_not_run(campaign.id, record.planned.id, ""); !put) return put;
  }
  for (const CaseRecord& record : campaign.cases) {
    if (auto there = context_.database.add_case(campaign.id, {record.planned}); !there) return there;
    if (record.planned.stands_for.empty()) continue;
    if (auto given = ledger_.give_up(context_.work_of(record.planned.stands_for), replaced_by(record.planned),
                                     /*reported=*/false);
        !given)
      return given;
  }
  return nodes_.exclude_earlier();
}

Result<void> Execution::recover() {
  auto jobs = known_jobs(context_.folder);
  if (!jobs) return failure_of(jobs);
  queue_.set_next_job(jobs->next);
  return recovery_.recover(*jobs);
}

Result<void> Execution::prepare_waiting() {
  const auto is_waiting = [&](std::size_t work) {
    return work < context_.campaign.cases.size() && context_.dispatcher.is_waiting(work);
  };
  for (const auto& [id, because] : context_.options.lacking)
    if (const std::size_t work = context_.work_of(id); is_waiting(work))
      if (auto given = ledger_.give_up(work, because); !given) return given;
  for (std::size_t work = 0; work < context_.campaign.cases.size(); ++work)
    if (is_waiting(work) && !secrets_of(context_.planned(work)).empty()) {
      if (auto provided = provide_secrets(context_.folder, context_.campaign); !provided) return provided;
      break;
    }
  return replanner_.apply_limits();
}

Result<void> Execution::collect() {
  for (std::size_t i = 0; i < context_.running.size();) {
    RunningJob& running = context_.running[i];
    if (is_short_and_ended(running)) {
      ended_.push_back(std::move(running));
      release(ended_.back());
      context_.running.erase(context_.running.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    const auto progress = ledger_.collect(running);
    if (!progress) return failure_of(progress);
    queue_.drop_excluded();
    if (*progress == AttemptLedger::JobProgress::withdrawn) queue_.put_back(running);
    if (*progress == AttemptLedger::JobProgress::pending)
      if (auto reviewed = queue_.review(running); !reviewed) return reviewed;
    if (!running.collected()) {
      ++i;
      continue;
    }
    release(running);
    context_.running.erase(context_.running.begin() + static_cast<std::ptrdiff_t>(i));
    queue_.end_hold();
  }
  return {};
}

void Execution::release(const RunningJob& running) {
  for (const RunningLane& lane : running.lanes) {
    context_.dispatcher.release(lane.pool);
    if (context_.traits.many_lanes && lane.pool.size() == 1) nodes_.note_ended(lane.pool);
  }
}

bool Execution::is_short_and_ended(const RunningJob& running) const {
  constexpr double most_s = 1;
  constexpr std::uintmax_t most_bytes = 64 << 10;  // of a log that is read and hashed in no time
  if (context_.outlives_us() || context_.stopping() || running.adopted || context_.pool.size() != 1)
    return false;
  const fs::path folder = running.lanes.front().steps.front().place.folder();
  const auto finished = read_finished(folder);
  if (!finished || finished->state != to_string(AttemptState::finished) || finished->exit_code != 0 ||
      finished->orphans_alive > 0 || wall_s(*finished) > most_s)
    return false;
  return std::ranges::all_of(std::array{"stdout.log", "stderr.log"}, [&](const char* log) {
    std::error_code code;
    const std::uintmax_t bytes = fs::file_size(folder / log, code);
    return code || bytes <= most_bytes;
  });
}

Result<void> Execution::collect_beside_next() {
  if (ended_.empty()) return {};
  events_.hold();
  if (!ends_now() && !context_.stopping())
    if (auto dispatched = dispatch(); !dispatched) return dispatched;
  events_.report_held_later();
  for (RunningJob& running : ended_) {
    if (const auto progress = ledger_.collect(running); !progress) return failure_of(progress);
    if (!running.collected())
      return fail_environment(running.lanes.front().steps.front().place.folder().string(),
                              "the end of this attempt was there, and is gone",
                              "who removes files there? `shakedown resume` looks again");
  }
  ended_.clear();
  events_.report_held();
  queue_.drop_excluded();
  queue_.end_hold();
  return {};
}

Result<void> Execution::check_nodes() {
  // Nodes of jobs that wait in the queue can go down as well.
  const bool queued = std::ranges::any_of(
      context_.running, [](const RunningJob& running) { return running.pending && !running.began(); });
  if (queued || queue_.has_jobs() || context_.dispatcher.waiting() > 0)
    if (auto looked = nodes_.look(); !looked) return looked;
  if (nodes_.any_overdue())
    if (auto excluded = nodes_.exclude_down(queue_.not_begun()); !excluded) return excluded;
  queue_.drop_excluded();
  const auto added = replanner_.plan_again();
  if (added && *added) queue_.point_to_cases();
  return added ? Result<void>() : failure_of(added);
}

Result<void> Execution::dispatch() {
  if (queue_.is_held()) return {};
  if (!disturbed_.may_begin()) return {};
  if (auto checked = ledger_.check_stages(); !checked) return checked;
  queue_.drop_excluded();
  if (auto checked = check_nodes(); !checked) return checked;
  if (queue_.has_unsure()) {
    const auto found = queue_.find_unsure();
    if (!found) return failure_of(found);
    if (*found == SubmitQueue::Offer::none) return {};
    if (*found == SubmitQueue::Offer::accepted) job_accepted();
  }
  if (auto prepared = queue_.prepare_round(); !prepared) return prepared;
  while (true) {
    const auto offer = queue_.submit_next();
    if (!offer) return failure_of(offer);
    if (*offer == SubmitQueue::Offer::none) return {};
    if (*offer == SubmitQueue::Offer::accepted) job_accepted();
  }
}

void Execution::job_accepted() {
  heartbeat();
  if (context_.outlives_us()) return;
  RunningJob& running = context_.running.back();
  for (RunningLane& lane : running.lanes) events_.report_start(running, lane.steps.front());
}

void Execution::heartbeat() {
  if (events_.heartbeat_due())
    events_.heartbeat(live_case_progress({context_, nodes_, ledger_, queue_, disturbed_.waits_for()}));
}

double Execution::pause_s() const {
  const double most_s = context_.options.heartbeat_s;
  if (!context_.outlives_us()) return disturbed_.is_looking() ? std::min(most_s, 0.25) : most_s;
  double pause_s = 0.1;
  for (const RunningJob& running : context_.running)
    pause_s += 0.002 * static_cast<double>(running.lanes.size());
  return std::min(most_s, std::max(pause_s, 0.02 * (steady_s() - ledger_.heard_s())));
}

Result<ExecutionEnd> Execution::ended() {
  const bool interrupted = context_.stopping();
  if (!interrupted)
    if (auto noted = note_images(); !noted) return failure_of(noted);
  if (auto noted = interrupted ? context_.journal.note("interrupted")
                               : context_.journal.finished(job_files(context_.folder));
      !noted)
    return failure_of(noted);
  const std::string& id = context_.campaign.id;
  const auto state = interrupted ? CampaignState::interrupted : CampaignState::finished;
  if (auto synced = context_.database.defer_sync(false); !synced) return failure_of(synced);
  if (auto set = context_.database.set_state(id, state, ledger_.last_end_s()); !set) return failure_of(set);
  if (auto scored = store_set_scores(context_.database, id); !scored) return failure_of(scored);
  const bool by_request = Interrupts::last_signal() == 0 && context_.cancelled;
  const int signal = by_request ? SIGTERM : Interrupts::last_signal();
  const int going =
      static_cast<int>(context_.running.size()) + (queue_.has_unsure() ? 1 : 0) + recovery_.not_adopted();
  if (!interrupted || (context_.cancelled && going == 0)) remove_secrets(context_.folder);
  return ExecutionEnd{interrupted, signal, going};
}

Result<void> Execution::note_images() {
  if (!context_.campaign.commitment || !context_.journal.has_run_since_images()) return {};
  const auto images = images_now(*context_.campaign.commitment, context_.folder);
  if (images.empty()) return {};
  return context_.journal.ended_with(images);
}

}  // namespace shakedown
