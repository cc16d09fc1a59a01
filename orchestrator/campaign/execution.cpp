#include "orchestrator/campaign/execution.hpp"

#include <signal.h>
#include <algorithm>
#include <utility>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/collected_files.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/campaign/set_scores.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {

Result<ExecutionEnd> Execution::run() {
  auto end = executed();
  // A question that was cut short is no failure of the campaign's.
  if (end || !leaves() || !Interrupts::unanswered()) return end;
  return ended();
}

Result<ExecutionEnd> Execution::executed() {
  if (auto set = database_.set_state(campaign_.id, CampaignState::running, 0); !set) return failure_of(set);
  if (auto begun = begin(); !begun) return failure_of(begun);
  if (auto taken = take_stock(); !taken) return failure_of(taken);
  for (const auto& [id, because] : options_.lacking)
    if (const std::size_t work = work_of(id); work < campaign_.cases.size() && dispatcher_.is_waiting(work))
      if (auto given = give_up(work, because); !given) return failure_of(given);
  if (auto provided = provide_waiting(); !provided) return failure_of(provided);
  if (auto heeded = heed_limits(); !heeded) return failure_of(heeded);
  while (true) {
    if (auto kept = keep(); !kept) return failure_of(kept);
    heed_interrupts();
    if (auto looked = look(); !looked) return failure_of(looked);
    if (leaving() && wants_more()) continue;
    if (leaving()) break;  // its jobs go on
    if (ending_ && leaves() && (end_unheard_ || Interrupts::unanswered()))
      break;  // so do those that can't be ended
    if (!stopping())
      if (auto dispatched = dispatch(); !dispatched) return failure_of(dispatched);
    if (running_.empty()) {
      if (stopping() || (ready_.empty() && put_off_.empty() && !unsure_ && dispatcher_.waiting() == 0)) break;
      const auto any = gave_up();
      if (!any) return failure_of(any);
      if (*any) continue;
    }
    beat();
    if (scheduler_->wait(pause_s()) || steady_s() - told_running_s_ < options_.heartbeat_s) continue;
    told_running_s_ = steady_s();
    tell_running();
  }
  return ended();
}

Result<void> Execution::provide_waiting() {
  for (std::size_t work = 0; work < campaign_.cases.size(); ++work)
    if (dispatcher_.is_waiting(work) && !secrets_of(planned(work)).empty())
      return provide_secrets(folder_, campaign_);
  return {};
}

double Execution::pause_s() const {
  if (!leaves()) return options_.heartbeat_s;
  double pause_s = 0.1;
  for (const RunningJob& running : running_) pause_s += 0.002 * static_cast<double>(running.lanes.size());
  return std::min(options_.heartbeat_s, std::max(pause_s, 0.02 * (steady_s() - heard_s_)));
}

Result<void> Execution::keep() {
  if (auto kept = lock_.keep(); !kept) return kept;
  if (options_.keep)
    if (auto kept = options_.keep(); !kept) return kept;
  return database_.keep();
}

bool Execution::wants_more() {
  // Who presses Ctrl-C twice wants the jobs to end too.
  const int count = Interrupts::count();
  if (running_.empty() || cancelled_ || Interrupts::last_signal() != SIGINT) return false;
  for (const double until_s = Interrupts::last_s() + options_.pauses.second_interrupt_s;
       steady_s() < until_s;) {
    scheduler_->wait(until_s - steady_s());
    if (Interrupts::count() > count) return true;
  }
  return false;
}

Result<ExecutionEnd> Execution::ended() {
  const bool interrupted = stopping();
  if (!interrupted)
    if (auto noted = note_images(); !noted) return failure_of(noted);
  if (auto noted = journal_.note(interrupted ? "interrupted" : "finished"); !noted) return failure_of(noted);
  const auto state = interrupted ? CampaignState::interrupted : CampaignState::finished;
  if (auto set = database_.set_state(campaign_.id, state, last_end_s_); !set) return failure_of(set);
  if (auto scored = store_set_scores(database_, campaign_.id); !scored) return failure_of(scored);
  const int signal = Interrupts::last_signal() == 0 && cancelled_ ? SIGTERM : Interrupts::last_signal();
  const int going = static_cast<int>(running_.size()) + (unsure_ ? 1 : 0) + not_adopted_;
  if (!interrupted || (cancelled_ && going == 0)) remove_secrets(folder_);
  return ExecutionEnd{interrupted, signal, going};
}

Result<void> Execution::note_images() {
  if (!campaign_.commitment || !journal_.has_run_since_images()) return {};
  const auto images = images_now(*campaign_.commitment, folder_);
  if (images.empty()) return {};
  return journal_.ended_with(images);
}

Result<void> Execution::begin() {
  forget_end_request(folder_);
  if (auto noted = journal_.begin_execution(); !noted) return noted;
  for (CaseRecord& record : campaign_.cases) {
    if (record.not_run.empty()) continue;
    record.not_run.clear();
    if (auto put = database_.put_not_run(campaign_.id, record.planned.id, ""); !put) return put;
  }
  for (const CaseRecord& record : campaign_.cases) {
    if (auto there = database_.add_case(campaign_.id, {record.planned}); !there) return there;
    if (record.planned.stands_for.empty()) continue;
    if (auto given = give_up(work_of(record.planned.stands_for), planned_again_as(record.planned), false);
        !given)
      return given;
  }
  for (const Exclusion& exclusion : journal_.excluded()) leave_out(exclusion.node);
  return database_.put_exclusions(campaign_.id, journal_.excluded());
}

void Execution::heed_interrupts() {
  const int count = Interrupts::count();
  const bool cancel = !cancelled_ && end_requested(folder_);
  if (count <= heeded_ && !cancel) return;
  const bool first = !stopping_told_;
  stopping_told_ = true;
  heeded_ = count;
  cancelled_ = cancelled_ || cancel;
  Event event;
  event.kind = Event::Kind::interrupted;
  if (first) {
    if (!running_.empty())
      if (const RunningStep* step = running_.front().lanes.front().current())
        event = event_of(Event::Kind::interrupted, step->work, step->place.index);
    event.text = leaves() && !cancelled_ && count <= 1 ? "it goes on in its job; once more to end it"
                                                       : "once more to kill it at once";
    tell(event);
  }
  if (leaves() && count <= 1 && !cancelled_) return;
  ending_ = true;
  if (unsure_)
    if (const auto name = scheduler_->found(unsure_->job); name && !name->empty()) {
      unsure_->known_as = *name;
      running_.push_back(*std::move(unsure_));
      unsure_.reset();
    }
  note_stop();
  for (RunningJob& running : running_) {
    running.ending = true;
    const auto asked = scheduler_->end(running.job, /*at_once=*/count > 1);
    if (asked) continue;
    end_unheard_ = true;
    tell_silent(to_string(asked.error()));
  }
}

void Execution::note_stop() {
  const auto asked = cancelled_ ? end_requester(folder_) : std::nullopt;
  const StopNote note = asked.value_or(stop_note(how_stopped(Interrupts::last_signal())));
  for (const RunningJob& running : running_)
    for (const RunningLane& lane : running.lanes)
      for (const RunningStep& step : lane.steps) {
        std::error_code code;
        if (step.collected || !fs::exists(step.place.folder(), code)) continue;
        // A full disk must not keep it from ending what runs: the attempt then says less.
        static_cast<void>(put_stop_note(step.place.folder(), note));
      }
}

Result<AttemptRecord> Execution::collected(std::size_t work, const AttemptPlace& place) {
  AttemptRecord attempt = collected_attempt(place, campaign_.inventory, screens_.all(), campaign_.settings);
  if (auto kept = keep(); !kept) return failure_of(kept);
  if (auto put = database_.add_environment(campaign_.id, lasting_environment(place)); !put)
    return failure_of(put);
  if (auto recorded = record(place, attempt); !recorded) return failure_of(recorded);
  last_end_s_ = std::max(last_end_s_, attempt.finished_s);
  spent_s_[work] += ended_wall_s(place.folder());
  screens_.remember(*place.planned, attempt);
  Event event = event_of(Event::Kind::case_ended, work, place.index);
  event.ended = &attempt;
  event.elapsed_s = attempt.wall_s;
  tell(event);
  return attempt;
}

Result<void> Execution::record(const AttemptPlace& place, const AttemptRecord& attempt) {
  if (auto put = database_.put_attempt(campaign_.id, place.planned->id, attempt); !put) return put;
  const auto journaled = journaled_attempt(database_, campaign_.id, *place.planned, attempt, folder_);
  if (!journaled) return failure_of(journaled);
  return journal_.collected(*journaled);
}

Result<bool> Execution::is_recorded(const AttemptPlace& place) const {
  const auto stored = database_.stored_hash(campaign_.id, place.planned->id, place.index);
  if (!stored) return failure_of(stored);
  const std::optional<RecordHash>& hash = *stored;
  const CollectedAttempt* known = journal_.collected(place.planned->id, place.index);
  if (known != nullptr && known->state == AttemptState::lost && read_finished(place.folder()))
    return false;  // it ran on after it was given up
  return hash && (hash->record.empty() || known != nullptr);
}

std::vector<int> Execution::pool_places(const std::vector<std::string>& hosts) const {
  std::vector<int> places;
  for (const std::string& host : hosts)
    if (const auto it = std::ranges::find(pool_, host); it != pool_.end())
      places.push_back(static_cast<int>(it - pool_.begin()));
  return places;
}

std::size_t Execution::work_of(std::string_view case_id) const {
  const auto it =
      std::ranges::find(campaign_.cases, case_id,
                        [](const CaseRecord& record) -> const std::string& { return record.planned.id; });
  return static_cast<std::size_t>(it - campaign_.cases.begin());
}

}  // namespace shakedown
