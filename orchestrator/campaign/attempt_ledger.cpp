#include "orchestrator/campaign/attempt_ledger.hpp"

#include <algorithm>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/failed_ranks.hpp"
#include "orchestrator/campaign/file_comparison.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/lasting_environment.hpp"
#include "orchestrator/campaign/retry.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

constexpr int max_lost_in_a_row = 3;  // then something kills our jobs: starting more helps nobody

/// Whether anything ever began of the lane that an attempt is in, be it an earlier orchestrator's.
bool lane_began(const Job& job, const fs::path& attempt) {
  for (const JobLane& lane : job.lanes)
    if (std::ranges::find(lane.steps, attempt, &JobStep::folder) != lane.steps.end())
      return std::ranges::any_of(lane.steps, [](const JobStep& step) {
        const auto started = read_started(step.folder);
        return started && !started->abandoned;
      });
  return false;
}

}  // namespace

AttemptLedger::AttemptLedger(ExecutionContext& context, ProgressEvents& events, NodeWatch& nodes)
    : context_(context), events_(events), nodes_(nodes), cases_(context.campaign.cases.size()) {}

void AttemptLedger::take_back(std::size_t work) {
  --cases_[work].attempts;
  context_.dispatcher.again(work);
}

bool AttemptLedger::is_spent(std::size_t work) const {
  return std::ssize(cases_[work].infrastructure_failures) >= context_.options.attempts_max;
}

Result<AttemptLedger::JobProgress> AttemptLedger::collect(RunningJob& running) {
  // Asked before the files are read: what a job wrote before it went is then there.
  JobState job_state;
  job_state.phase = running.pending ? JobState::Phase::pending : JobState::Phase::running;
  if (!context_.leaving()) job_state = context_.scheduler->state(running.job, is_silent(running));
  running.completing = job_state.completing;
  for (RunningLane& lane : running.lanes)
    while (RunningStep* step = lane.current()) {
      if (const auto finished = read_finished(step->place.folder())) {
        const bool gone = job_state.phase == JobState::Phase::gone;
        if (!step->ended_s) step->ended_s = steady_s();
        if (ended_by_others(running, *step, *finished) && !gone) break;  // who ended it is worth waiting for
        report_start(running, *step);
        if (auto done = conclude(running, *step, lane, gone ? &job_state : nullptr); !done)
          return failure_of(done);
        continue;
      }
      const auto started = read_started(step->place.folder());
      if (started && !started->abandoned) report_start(running, *step);
      break;
    }
  if (running.collected() || context_.leaving()) return JobProgress::goes_on;
  if (running.withdrawn && !running.began() && job_state.phase == JobState::Phase::gone &&
      job_state.end == JobEnd::cancelled)
    return JobProgress::withdrawn;
  running.pending = job_state.phase == JobState::Phase::pending;
  running.start_s = job_state.start_s;
  if (running.pending) events_.report_waiting(running, job_state.reason);
  if (job_state.phase != JobState::Phase::gone) {
    running.gone_since_s.reset();
    return running.pending ? JobProgress::pending : JobProgress::goes_on;
  }
  if (!running.gone_since_s) running.gone_since_s = steady_s();
  if (context_.outlives_us() && steady_s() - *running.gone_since_s < context_.options.pauses.settle_s)
    return JobProgress::goes_on;
  if (auto done = collect_lost(running); !done) return failure_of(done);
  return JobProgress::goes_on;
}

void AttemptLedger::report_start(const RunningJob& running, RunningStep& step) {
  if (events_.report_start(running, step)) heard_s_ = steady_s();
}

bool AttemptLedger::ended_by_others(const RunningJob& running, const RunningStep& step,
                                    const Finished& finished) const {
  if (!context_.outlives_us() || running.ending || finished.state != to_string(AttemptState::interrupted))
    return false;
  return running.completing || !step.ended_s ||
         steady_s() - *step.ended_s < 10 * context_.options.pauses.settle_s;
}

bool AttemptLedger::is_silent(RunningJob& running) const {
  constexpr double patience_s = 5;
  if (running.gone_since_s) return true;
  for (RunningLane& lane : running.lanes) {
    const RunningStep* step = lane.current();
    if (step == nullptr) continue;
    if (const auto finished = read_finished(step->place.folder());
        finished && ended_by_others(running, *step, *finished))
      return true;
    const double limit_s = step->place.planned->time_limit_s;
    const double since_s = step->since_s.value_or(running.submitted_s);
    if (!step->since_s && steady_s() - since_s > patience_s) return true;
    if (limit_s > 0 && steady_s() - since_s > limit_s + grace_s) return true;
    if (steady_s() - since_s > context_.options.silence_s) return true;
  }
  return false;
}

Result<void> AttemptLedger::collect_lost(RunningJob& running) {
  for (RunningLane& lane : running.lanes)
    for (RunningStep& step : lane.steps) {
      if (step.collected) continue;
      if (!read_finished(step.place.folder()) && !read_started(step.place.folder()))
        if (const auto abandoned = abandon_unstarted(step.place.folder()); !abandoned)
          return failure_of(abandoned);
      const JobState job_state = context_.scheduler->state(running.job, /*ask=*/false);
      if (auto done = conclude(running, step, lane, &job_state); !done) return done;
    }
  return {};
}

Result<void> AttemptLedger::conclude(RunningJob& running, RunningStep& step, const RunningLane& lane,
                                     const JobState* job_state) {
  heard_s_ = steady_s();
  // Where its job ended by itself, an attempt lost no nodes but its own.
  std::optional<JobState> own;
  if (job_state != nullptr && job_state->end != JobEnd::node_failed) {
    own = *job_state;
    std::erase_if(own->failed_nodes, [&](const std::string& node) {
      return std::ranges::find(lane.hosts, node) == lane.hosts.end();
    });
    job_state = &*own;
  }
  if (job_state != nullptr && job_state->end != JobEnd::unknown)
    if (auto written = write_file(step.place.folder() / scheduler_file, job_state_json(*job_state)); !written)
      return written;
  const auto attempt = collected(step.work, step.place);
  if (!attempt) return failure_of(attempt);
  step.collected = true;
  const bool lost = is_without_end(attempt->state);
  lost_in_a_row_ = lost ? lost_in_a_row_ + 1 : 0;
  const std::string left = lost ? end_leftovers(step) : "";
  if (lost && !context_.outlives_us() && lost_in_a_row_ >= max_lost_in_a_row)
    return fail_environment(
        step.place.folder().string(),
        fmt::format("{} attempts in a row ended without finished.json", lost_in_a_row_),
        "see the job's own files there; is the disk full, does something kill jobs here?");
  // What waited behind others did not fail with them; a job that nothing of could be started did.
  const bool ended_itself = job_state != nullptr &&
                            (job_state->end == JobEnd::failed || job_state->end == JobEnd::completed ||
                             job_state->end == JobEnd::timed_out || job_state->end == JobEnd::out_of_memory);
  const bool unstartable = ended_itself && !lane_began(running.job, step.place.folder());
  const AttemptEnd end{step.work, step.place, running.job.id, lane.hosts, job_state, unstartable, left};
  const auto again = running.ending ? Result<bool>(false) : decide_retry(end, *attempt);
  if (!again) return failure_of(again);
  if (*again)
    context_.dispatcher.again(step.work);
  else
    end_case(step.work, *attempt);
  return {};
}

std::string AttemptLedger::end_leftovers(const RunningStep& step) const {
  const auto started = read_started(step.place.folder());
  if (!started || started->abandoned || started_where(*started) != StartedWhere::here) return "";
  const auto end = end_orphans(context_.options.layout.libexec / "attempt", *started);
  if (!end || end->ended + end->alive == 0) return "";  // the next attempt's wrapper looks again
  std::string text =
      fmt::format("; wrapper killed; {} leftover process{} ended", end->ended, end->ended == 1 ? "" : "es");
  if (end->alive > 0)
    text += fmt::format(", {} still run{} and disturb{} later runs", end->alive, end->alive == 1 ? "s" : "",
                        end->alive == 1 ? "s" : "");
  return text;
}

Result<AttemptRecord> AttemptLedger::collected(std::size_t work, const AttemptPlace& place) {
  AttemptRecord attempt = read(place);
  if (auto renewed = context_.renew_lock(); !renewed) return failure_of(renewed);
  // The store keeps each fact once: those of the attempt before are there.
  if (auto environment = lasting_environment(place); environment != environment_) {
    if (auto put = context_.database.add_environment(context_.campaign.id, environment); !put)
      return failure_of(put);
    environment_ = std::move(environment);
  }
  if (auto recorded = record(place, attempt); !recorded) return failure_of(recorded);
  last_end_s_ = std::max(last_end_s_, attempt.finished_s);
  cases_[work].spent_s += ended_wall_s(place.folder());
  Event event = events_.of_case(Event::Kind::case_ended, work, place.index);
  event.ended = &attempt;
  event.elapsed_s = attempt.wall_s;
  events_.report(event);
  return attempt;
}

AttemptRecord AttemptLedger::read(const AttemptPlace& place) const {
  return collected_attempt(place, context_.campaign.inventory, context_.campaign.settings);
}

Result<void> AttemptLedger::record(const AttemptPlace& place, const AttemptRecord& attempt) {
  if (auto put = context_.database.record_attempt(context_.campaign.id, place.planned->id, attempt); !put)
    return put;
  const auto journaled =
      journaled_attempt(context_.database, context_.campaign.id, *place.planned, attempt, context_.folder);
  if (!journaled) return failure_of(journaled);
  return context_.journal.collected(*journaled);
}

Result<bool> AttemptLedger::is_recorded(const AttemptPlace& place) const {
  const auto stored = context_.database.stored_hash(context_.campaign.id, place.planned->id, place.index);
  if (!stored) return failure_of(stored);
  const std::optional<RecordHash>& hash = *stored;
  const CollectedAttempt* known = context_.journal.collected(place.planned->id, place.index);
  if (known != nullptr && known->state && is_without_end(*known->state) && read_finished(place.folder()))
    return false;  // it ran on after it was given up
  return hash && (hash->record.empty() || known != nullptr);
}

// What follows from how an attempt ended: a retry, the end of its case, what it means for nodes and stages.

Result<bool> AttemptLedger::decide_retry(const AttemptEnd& end, const AttemptRecord& attempt) {
  const Case& planned = *end.place.planned;
  const auto suspects = suspect_nodes(attempt, end.place, end.hosts).nodes;
  const Retry retry = retry_after(attempt, end.hosts, end.job_state, suspects);
  // What ended the attempt, and what its program printed last.
  std::string because = retry.because;
  if (is_without_end(attempt.state) || attempt.state == AttemptState::interrupted)
    if (const std::string words = last_words(end.place); !words.empty()) because += "; " + words;
  if (!retry.again) {
    for (const std::string& node : retry.suspected)
      if (auto suspected = nodes_.suspect(node, end.job, fmt::format("{}: {}", planned.id, because));
          !suspected)
        return failure_of(suspected);
    return false;
  }
  // A launcher that can't start here won't the next time: elsewhere it may.
  const bool elsewhere = context_.pool.size() > std::max<std::size_t>(end.hosts.size(), 1) && !planned.bound;
  const bool lost = is_without_end(attempt.state);
  // A node that was lost may be back, and one that was taken is given again.
  const bool comes_back =
      attempt.failure_kind == FailureKind::node_failure || attempt.failure_kind == FailureKind::preempted;
  const bool sensible = lost || attempt.state == AttemptState::interrupted || elsewhere || comes_back;
  const bool never_began = lost && attempt.started_s <= 0 && !end.unstartable;
  const MachineFailure failure{planned.id,
                               end.place.index,
                               end.job,
                               retry.suspected,
                               because,
                               sensible && !never_began,
                               folded_hostlist(end.hosts)};
  const bool known = context_.journal.machine_failures().contains({failure.case_id, failure.attempt});
  if (auto noted = context_.journal.failed_by_machine(failure); !noted) return failure_of(noted);
  for (const std::string& node : retry.suspected)
    if (auto suspected = nodes_.suspect(node, end.job, because); !suspected) return failure_of(suspected);
  if (!known) prefer_other_nodes(end.work, failure);
  if (failure.counts) cases_[end.work].infrastructure_failures.insert(end.place.index);
  if (!sensible || (failure.counts && is_spent(end.work))) return false;
  // Which nodes are down or taken by others may be news.
  nodes_.look_soon();
  // On a node that was excluded nothing follows: that its case is not run is reported.
  const auto& excluded = context_.journal.excluded();
  if (planned.bound && std::ranges::find(excluded, planned.hosts, &Exclusion::node) != excluded.end())
    return true;
  Event event = events_.of_case(Event::Kind::case_again, end.work, end.place.index);
  event.text = because + end.left;
  events_.report(event);
  return true;
}

void AttemptLedger::prefer_other_nodes(std::size_t work, const MachineFailure& failure) {
  for (const int host : context_.pool_places(failure.suspected)) context_.dispatcher.avoid(work, host);
  if (const auto hosts = expanded_hostlist(failure.hosts))
    context_.dispatcher.suspect(work, context_.pool_places(*hosts));
}

Result<void> AttemptLedger::recall_failures() {
  if (!context_.outlives_us())
    return {};  // jobs that end with their orchestrator prove nothing about the machine
  for (const auto& [attempt, failure] : context_.journal.machine_failures()) {
    const std::size_t work = context_.work_of(failure.case_id);
    if (work >= context_.campaign.cases.size()) continue;
    if (failure.counts) cases_[work].infrastructure_failures.insert(failure.attempt);
    prefer_other_nodes(work, failure);
    for (const std::string& node : failure.suspected)
      if (auto suspected = nodes_.suspect(node, failure.job, failure.because); !suspected) return suspected;
  }
  return {};
}

void AttemptLedger::end_case(std::size_t work, const AttemptRecord& attempt) {
  const fs::path folder = AttemptPlace{context_.folder, &context_.planned(work), attempt.index}.folder();
  const bool cancelled =
      attempt.failure_kind == FailureKind::cancelled || scheduler_kind(folder) == FailureKind::cancelled;
  if (std::string why = objection_to_next_stage(attempt, context_.planned(work)); !why.empty())
    objections_.push_back({work, std::move(why), cancelled, node_failed_alone(work, attempt)});
  const bool clean = attempt.state == AttemptState::finished && attempt.failure.empty();
  if (attempt.state != AttemptState::interrupted || !context_.stopping())
    cases_[work].end = clean ? CaseState::done : CaseState::failed;
  context_.dispatcher.end(work);
}

std::string AttemptLedger::node_failed_alone(std::size_t work, const AttemptRecord& attempt) const {
  const Case& failed = context_.planned(work);
  if (failed.nodes == 1) return failed.bound ? failed.hosts : std::string();
  const auto hosts = expanded_hostlist(attempt.hosts);
  if (!hosts) return {};
  const SuspectNodes suspects = suspect_nodes(attempt, {context_.folder, &failed, attempt.index}, *hosts);
  return suspects.alone ? suspects.nodes.front() : std::string();
}

Result<void> AttemptLedger::check_stages() {
  const int stage = stage_of(context_.dispatcher.stage());
  for (Objection& objection : objections_) {
    const Case& failed = context_.planned(objection.work);
    if (objection.applied || failed.stage >= stage) continue;
    objection.applied = true;
    if (context_.outlives_us() && !objection.node.empty() && !objection.by_somebody) {
      if (auto out = nodes_.exclude(objection.node, fmt::format("{}: {}", failed.id, objection.why)); !out)
        return out;
      continue;
    }
    for (std::size_t work = 0; work < context_.campaign.cases.size(); ++work)
      if (context_.dispatcher.is_waiting(work) && context_.planned(work).stage > failed.stage)
        if (auto given = give_up(
                work, fmt::format("stage {} did not pass: {}: {}", failed.stage, failed.id, objection.why));
            !given)
          return given;
  }
  return {};
}

Result<void> AttemptLedger::give_up(std::size_t work, std::string because, bool reported) {
  if (work >= context_.campaign.cases.size()) return {};
  context_.dispatcher.end(work);
  cases_[work].end = CaseState::not_run;
  CaseRecord& record = context_.campaign.cases[work];
  if (auto noted = context_.journal.give_up(record.planned.id, because); !noted) return noted;
  // A batch system's words may be no UTF-8, which the journal replaces: the store has what the journal has.
  if (const auto noted = context_.journal.content().not_run.find(record.planned.id);
      noted != context_.journal.content().not_run.end())
    because = noted->second;
  record.not_run = because;
  if (auto put = context_.database.record_not_run(context_.campaign.id, record.planned.id, because); !put)
    return put;
  if (!reported) return {};
  Event event = events_.of_case(Event::Kind::case_given_up, work, cases_[work].attempts);
  event.text = std::move(because);
  events_.report(event);
  return {};
}

}  // namespace shakedown
