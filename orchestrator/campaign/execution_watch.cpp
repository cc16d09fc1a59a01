// What has ended, and what follows from how it did.
#include "orchestrator/campaign/execution.hpp"

#include <algorithm>

#include "orchestrator/campaign/failed_ranks.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/retry.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/run_directory.hpp"
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

Result<void> Execution::look() {
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

Result<void> Execution::look_at(RunningJob& running) {
  // Asked before the files are read: what a job wrote before it went is then there.
  JobState job_state;
  job_state.phase = running.pending ? JobState::Phase::pending : JobState::Phase::running;
  if (!leaving()) job_state = scheduler_->state(running.job, is_silent(running));
  running.completing = job_state.completing;
  for (RunningLane& lane : running.lanes)
    while (RunningStep* step = lane.current()) {
      if (const auto finished = read_finished(step->place.folder())) {
        const bool told = job_state.phase == JobState::Phase::gone;
        if (!step->ended_s) step->ended_s = steady_s();
        if (by_others(running, *step, *finished) && !told) break;  // who ended it is worth waiting for
        tell_start(running, *step);
        if (auto done = conclude(running, *step, lane, told ? &job_state : nullptr); !done) return done;
        continue;
      }
      const auto started = read_started(step->place.folder());
      if (started && !started->abandoned) tell_start(running, *step);
      break;
    }
  if (running.collected() || leaving()) return {};
  if (running.withdrawn && !running.began() && job_state.phase == JobState::Phase::gone &&
      job_state.end == JobEnd::cancelled) {
    put_back(running);
    return {};
  }
  running.pending = job_state.phase == JobState::Phase::pending;
  running.start_s = job_state.start_s;
  if (running.pending) tell_waiting(running, job_state);
  if (job_state.phase != JobState::Phase::gone) {
    running.gone_since_s.reset();
    return running.pending ? divide(running) : Result<void>();
  }
  if (!running.gone_since_s) running.gone_since_s = steady_s();
  if (leaves() && steady_s() - *running.gone_since_s < options_.pauses.settle_s) return {};
  return lost_job(running);
}

Result<void> Execution::divide(RunningJob& running) {
  if (running.began() || running.ending || stopping()) return {};
  if (running.withdrawn) {
    if (steady_s() - running.withdrawn_s < options_.pauses.hold_s) return {};
    scheduler_->withdraw(running.job);  // a batch system that did not answer may not have heard of it
    running.withdrawn_s = steady_s();
    return {};
  }
  if (const auto excluded = excluded_nodes(running); !excluded.empty()) {
    withdraw(running, fmt::format("{} {} excluded: the job is taken out of the queue",
                                  folded_hostlist(excluded), excluded.size() == 1 ? "is" : "are"));
    return {};
  }
  if (const auto down = nodes_in_outage(running); !down.empty()) {
    withdraw(running, fmt::format("{} stay{} down: the job is withdrawn and its case waits for nodes",
                                  folded_hostlist(down), down.size() == 1 ? "s" : ""));
    return {};
  }
  // The work of one lane has its nodes for good where it is bound to them.
  const bool alone = running.lanes.size() < 2;
  const RunningLane& first = running.lanes.front();
  const bool bound = alone && std::ranges::any_of(first.steps, [&](const RunningStep& step) {
                       return planned(step.work).bound;
                     });
  if (bound || steady_s() - std::max(running.submitted_s, running.looked_at_s) < options_.pauses.shared_s)
    return {};
  running.looked_at_s = steady_s();
  ask_nodes_at_s_ = 0;
  if (auto looked = look_at_nodes(); !looked) return looked;
  if (silent_) return {};
  std::vector<std::string> out;
  std::vector<std::string> taken;
  std::string why;
  for (const RunningLane& lane : running.lanes)
    for (const int host : lane.pool) {
      const SchedulerNode& node = nodes_[static_cast<std::size_t>(host)];
      if (node.kind == SchedulerNode::Kind::out) out.push_back(node.host);
      if (node.kind == SchedulerNode::Kind::out) why = node.reason;
      if (node.kind != SchedulerNode::Kind::idle) taken.push_back(node.host);
    }
  if (alone && !out.empty())  // waited for in vain where others will do
    withdraw(running, fmt::format("{} get{} no jobs ({}): the job is withdrawn and its case waits for nodes",
                                  folded_hostlist(out), out.size() == 1 ? "s" : "", why));
  else if (alone && !taken.empty() && dispatcher_.has_idle_nodes(first.steps.front().work, first.pool))
    withdraw(running, fmt::format("{} taken: other nodes are idle", folded_hostlist(taken)));
  // Where all are free, or none is, other jobs would wait as well.
  else if (!alone && !taken.empty() && taken.size() < running.job.hosts().size())
    withdraw(running, fmt::format("{} taken: the others go without", folded_hostlist(taken)));
  return {};
}

void Execution::put_back(RunningJob& running) {
  for (RunningLane& lane : running.lanes)
    for (RunningStep& step : lane.steps) {
      // It never left the queue: the attempt is still to be made.
      --attempts_[step.work];
      dispatcher_.again(step.work);
      step.collected = true;
    }
}

bool Execution::by_others(const RunningJob& running, const RunningStep& step,
                          const Finished& finished) const {
  if (!leaves() || running.ending || finished.state != to_string(AttemptState::interrupted)) return false;
  return running.completing || !step.ended_s || steady_s() - *step.ended_s < 10 * options_.pauses.settle_s;
}

bool Execution::is_silent(RunningJob& running) const {
  constexpr double patience_s = 5;
  if (running.gone_since_s) return true;
  for (RunningLane& lane : running.lanes) {
    const RunningStep* step = lane.current();
    if (step == nullptr) continue;
    if (const auto finished = read_finished(step->place.folder());
        finished && by_others(running, *step, *finished))
      return true;
    const double limit_s = step->place.planned->time_limit_s;
    const double since_s = step->since_s.value_or(running.submitted_s);
    if (!step->since_s && steady_s() - since_s > patience_s) return true;
    if (limit_s > 0 && steady_s() - since_s > limit_s + grace_s) return true;
    if (steady_s() - since_s > options_.silence_s) return true;
  }
  return false;
}

Result<void> Execution::conclude(RunningJob& running, RunningStep& step, const RunningLane& lane,
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
    if (auto said = write_file(step.place.folder() / scheduler_file, job_state_json(*job_state)); !said)
      return said;
  const auto attempt = collected(step.work, step.place);
  if (!attempt) return failure_of(attempt);
  step.collected = true;
  const bool lost = attempt->state == AttemptState::lost;
  lost_in_a_row_ = lost ? lost_in_a_row_ + 1 : 0;
  const std::string left = lost ? end_what_it_left(step) : "";
  if (lost && !leaves() && lost_in_a_row_ >= max_lost_in_a_row)
    return fail_environment(
        step.place.folder().string(),
        fmt::format("{} attempts in a row ended without finished.json", lost_in_a_row_),
        "the job's own files there tell more; is the disk full, does something kill jobs here?");
  // What waited behind others did not fail with them; a job that nothing of could be started did.
  const bool ended_itself = job_state != nullptr &&
                            (job_state->end == JobEnd::failed || job_state->end == JobEnd::completed ||
                             job_state->end == JobEnd::timed_out || job_state->end == JobEnd::out_of_memory);
  const bool unstartable = ended_itself && !lane_began(running.job, step.place.folder());
  const Ending ending{step.work, step.place, running.job.id, lane.hosts, job_state, unstartable, left};
  const auto again = running.ending ? Result<bool>(false) : begins_again(ending, *attempt);
  if (!again) return failure_of(again);
  if (*again)
    dispatcher_.again(step.work);
  else
    settle(step.work, *attempt);
  return {};
}

std::string Execution::end_what_it_left(const RunningStep& step) const {
  const auto started = read_started(step.place.folder());
  if (!started || started->abandoned || started_where(*started) != StartedWhere::here) return "";
  const auto end = end_orphans(options_.layout.libexec / "attempt", *started);
  if (!end || end->ended + end->alive == 0) return "";  // the next attempt's wrapper looks again
  std::string text =
      fmt::format("; wrapper killed; {} leftover process{} ended", end->ended, end->ended == 1 ? "" : "es");
  if (end->alive > 0)
    text += fmt::format(", {} still run{} and disturb{} later runs", end->alive, end->alive == 1 ? "s" : "",
                        end->alive == 1 ? "s" : "");
  return text;
}

Result<bool> Execution::begins_again(const Ending& ending, const AttemptRecord& attempt) {
  const Case& planned = *ending.place.planned;
  const auto suspects = suspect_nodes(attempt, ending.place, ending.hosts).nodes;
  const Retry retry = retry_after(attempt, ending.hosts, ending.job_state, suspects);
  // What ended the attempt, and what its program printed last.
  std::string because = retry.because;
  if (attempt.state == AttemptState::lost || attempt.state == AttemptState::interrupted)
    if (const std::string words = last_words(ending.place); !words.empty()) because += "; " + words;
  if (!retry.again) {
    for (const std::string& node : retry.blamed)
      if (auto blamed = blame(node, ending.job, fmt::format("{}: {}", planned.id, because)); !blamed)
        return failure_of(blamed);
    return false;
  }
  // A launcher that can't start here won't the next time: elsewhere it may.
  const bool elsewhere = pool_.size() > std::max<std::size_t>(ending.hosts.size(), 1) && !planned.bound;
  const bool lost = attempt.state == AttemptState::lost;
  const bool sensible = lost || attempt.state == AttemptState::interrupted || elsewhere;
  const bool never_began = lost && attempt.started_s <= 0 && !ending.unstartable;
  const MachineFailure failure{planned.id,
                               ending.place.index,
                               ending.job,
                               retry.blamed,
                               because,
                               sensible && !never_began,
                               folded_hostlist(ending.hosts)};
  const bool known = journal_.machine_failures().contains({failure.case_id, failure.attempt});
  if (auto noted = journal_.failed_by_machine(failure); !noted) return failure_of(noted);
  for (const std::string& node : retry.blamed)
    if (auto blamed = blame(node, ending.job, because); !blamed) return failure_of(blamed);
  if (!known) prefer_other_nodes(ending.work, failure);
  if (failure.counts) lost_[ending.work].insert(ending.place.index);
  if (!sensible || (failure.counts && spent(ending.work))) return false;
  // Which nodes are down or taken by others may be news.
  ask_nodes_at_s_ = std::min(ask_nodes_at_s_, nodes_asked_s_ + options_.pauses.fresh_s);
  Event event = event_of(Event::Kind::case_again, ending.work, ending.place.index);
  event.text = because + ending.left;
  tell(event);
  return true;
}

void Execution::prefer_other_nodes(std::size_t work, const MachineFailure& failure) {
  for (const int host : pool_places(failure.blamed)) dispatcher_.avoid(work, host);
  if (const auto hosts = expanded_hostlist(failure.hosts)) dispatcher_.suspect(work, pool_places(*hosts));
}

Result<void> Execution::recall_failures() {
  if (!leaves()) return {};  // what ended with an orchestrator of this machine says nothing of it
  for (const auto& [attempt, failure] : journal_.machine_failures()) {
    const std::size_t work = work_of(failure.case_id);
    if (work >= campaign_.cases.size()) continue;
    if (failure.counts) lost_[work].insert(failure.attempt);
    prefer_other_nodes(work, failure);
    for (const std::string& node : failure.blamed)
      if (auto blamed = blame(node, failure.job, failure.because); !blamed) return blamed;
  }
  return {};
}

}  // namespace shakedown
