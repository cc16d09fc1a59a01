// What begins now: lanes become jobs, stages follow each other.
#include "orchestrator/campaign/execution.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "orchestrator/campaign/failed_ranks.hpp"
#include "orchestrator/campaign/gate.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/private_file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/composition.hpp"
#include "orchestrator/launch/launcher.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "orchestrator/plan/secrets.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_rejected =
    4;  // jobs that are offered in vain until the queue is left alone for a while
constexpr int most_passed_over = 3;  // times that a job is rejected and another taken: then it is its fault

}  // namespace

Result<void> Execution::make_ready() {
  // Jobs of lanes of one node each, by when their nodes are somebody else's: a job asks for the time of its
  // longest lane on all of them.
  std::map<double, std::vector<std::vector<RunningLane>>> shared;
  const double longest_limit_s =
      traits_.longest_limit_s > 0 ? traits_.longest_limit_s : Dispatcher::unlimited_s;
  std::vector<DispatchedLane> lanes = dispatcher_.next(traits_.longest_lane_s, longest_limit_s);
  const auto of_one_node =
      std::ranges::count_if(lanes, [](const DispatchedLane& lane) { return lane.hosts.size() == 1; });
  // Somebody may have taken a node since, and one that is taken keeps all of its job waiting.
  if (traits_.many_lanes && of_one_node > 1 && steady_s() - nodes_asked_s_ > options_.pauses.fresh_s) {
    ask_nodes_at_s_ = 0;
    if (auto looked = look_at_nodes(); !looked) return looked;
  }
  const auto is = [&](const std::vector<int>& hosts, NodeStanding::Kind kind) {
    return std::ranges::all_of(hosts,
                               [&](int host) { return nodes_[static_cast<std::size_t>(host)].kind == kind; });
  };
  for (DispatchedLane& lane : lanes) {
    if (lane.hosts.size() == 1 && is(lane.hosts, NodeStanding::Kind::out)) {
      for (const std::size_t work : lane.works) dispatcher_.again(work);
      dispatcher_.release(lane.hosts);
      continue;
    }
    RunningLane made{std::move(lane.hosts), {}};
    for (const std::size_t work : lane.works)
      made.steps.push_back({work, {folder_, &planned(work), ++attempts_[work]}, {}, false});
    const bool idle = is(made.pool, NodeStanding::Kind::idle);
    if (!traits_.many_lanes || made.pool.size() != 1 || !idle) {
      ready_.push_back({{std::move(made)}, {}, 0, 0});
      continue;
    }
    const NodeStanding& node = nodes_[static_cast<std::size_t>(made.pool.front())];
    auto& jobs = shared[node.free_until_s.value_or(Dispatcher::unlimited_s)];
    if (jobs.empty() ||
        (traits_.most_nodes > 0 && static_cast<int>(jobs.back().size()) >= traits_.most_nodes))
      jobs.emplace_back();
    jobs.back().push_back(std::move(made));
  }
  for (auto each = shared.rbegin(); each != shared.rend(); ++each)
    for (auto job = each->second.rbegin(); job != each->second.rend(); ++job)
      ready_.push_front({std::move(*job), {}, 0, 0});
  return {};
}

void Execution::settle(std::size_t work, const AttemptRecord& attempt) {
  const fs::path folder = AttemptPlace{folder_, &planned(work), attempt.index}.folder();
  const bool cancelled =
      attempt.failure_kind == FailureKind::cancelled || scheduler_kind(folder) == FailureKind::cancelled;
  if (std::string why = objection_to_next_stage(attempt, planned(work)); !why.empty())
    objections_.push_back({work, std::move(why), cancelled, node_failed_alone(work, attempt)});
  const bool clean = attempt.state == AttemptState::finished && attempt.failure.empty();
  if (attempt.state != AttemptState::interrupted || !stopping())
    ends_[work] = clean ? CaseStanding::Phase::done : CaseStanding::Phase::failed;
  dispatcher_.end(work);
}

std::string Execution::node_failed_alone(std::size_t work, const AttemptRecord& attempt) const {
  const Case& failed = planned(work);
  if (failed.nodes == 1) return failed.bound ? failed.hosts : std::string();
  const auto hosts = expanded_hostlist(attempt.hosts);
  if (!hosts) return {};
  const SuspectNodes suspects = suspect_nodes(attempt, {folder_, &failed, attempt.index}, *hosts);
  return suspects.alone ? suspects.nodes.front() : std::string();
}

Result<void> Execution::check_gates() {
  const int stage = dispatcher_.stage() / 2;
  for (Objection& objection : objections_) {
    const Case& failed = planned(objection.work);
    if (objection.heeded || failed.stage >= stage) continue;
    objection.heeded = true;
    if (leaves() && !objection.node.empty() && !objection.by_somebody) {
      if (auto out = exclude(objection.node, fmt::format("{}: {}", failed.id, objection.why)); !out)
        return out;
      continue;
    }
    for (std::size_t work = 0; work < campaign_.cases.size(); ++work)
      if (dispatcher_.is_waiting(work) && planned(work).stage > failed.stage)
        if (auto given = give_up(
                work, fmt::format("stage {} did not pass: {}: {}", failed.stage, failed.id, objection.why));
            !given)
          return given;
  }
  return {};
}

Result<void> Execution::dispatch() {
  if (steady_s() < hold_until_s_) return {};
  if (auto passed = check_gates(); !passed) return passed;
  // Nodes of jobs that wait in the queue can go down as well.
  const bool queued = std::ranges::any_of(
      running_, [](const RunningJob& running) { return running.pending && !running.began(); });
  if (queued || !ready_.empty() || !put_off_.empty() || dispatcher_.waiting() > 0)
    if (auto looked = look_at_nodes(); !looked) return looked;
  if (auto excluded = exclude_down(); !excluded) return excluded;
  if (auto planned = plan_again(); !planned) return planned;
  if (unsure_) {
    const auto there = find_unsure();
    if (!there) return failure_of(there);
    if (!*there) return {};
  }
  offer_again();
  if (ready_.empty() && dispatcher_.waiting() > 0 && !nodes_.empty())
    if (auto made = make_ready(); !made) return made;
  // A job that is rejected goes behind the others: what is wrong with it need not be wrong with them.
  for (ReadyJob& ready : ready_) ready.suspect = false;
  for (std::size_t rejected = 0; rejected < std::min(most_rejected, ready_.size());) {
    if (stopping() || static_cast<int>(running_.size()) >= traits_.most_jobs) break;
    ReadyJob ready = std::move(ready_.front());
    ready_.pop_front();
    RunningJob running;
    running.lanes = ready.lanes;
    running.job.id = ready.job_id;
    running.refusals = ready.refusals;
    const auto became = submit(running);
    if (!became) return failure_of(became);
    if (*became == Submitted::yes) {
      rejected = 0;
      lasting_refusals_.clear();
      took_in(std::move(running));
      if (auto heeded = heed_rejections(); !heeded) return heeded;
      continue;
    }
    if (*became == Submitted::never) {
      if (auto refused = refuse(std::move(ready), refusal_); !refused) return refused;
      continue;
    }
    if (*became == Submitted::put_off) {
      ready.job_id = running.job.id;
      if (++rejected >= most_rejected) hold_until_s_ = steady_s() + options_.pauses.refusal_s;
      if (auto put = put_off(std::move(ready), scheduler_->rejection().words); !put) return put;
      continue;
    }
    hold_until_s_ = steady_s() + options_.pauses.hold_s;
    if (*became == Submitted::unsure) {
      unsure_ = std::move(running);
      return {};
    }
    ++rejected;
    const bool all = scheduler_->rejection().of == Rejection::Of::all;
    if (auto kept = keep_rejected(std::move(ready)); !kept) return kept;
    if (all) break;
  }
  return {};
}

void Execution::took_in(RunningJob running) {
  running_.push_back(std::move(running));
  running_.back().pending = leaves();
  beat();
  if (leaves()) return;
  for (RunningLane& lane : running_.back().lanes) tell_start(running_.back(), lane.steps.front());
}

Result<bool> Execution::find_unsure() {
  std::optional<RunningJob> unsure = std::exchange(unsure_, std::nullopt);
  if (!unsure) return false;
  const auto name = scheduler_->found(unsure->job);
  if (!name) {
    unsure_ = std::move(unsure);
    hold_until_s_ = steady_s() + options_.pauses.hold_s;
    tell_silent(to_string(name.error()));
    return false;
  }
  RunningJob running = *std::move(unsure);
  if (name->empty()) {
    ReadyJob ready{std::move(running.lanes), {}, 0, 0};
    ready.job_id = running.job.id;
    // An outage is no refusal, however long: time counts from the next refusal in words.
    ready.offer_at_s = steady_s() + options_.pauses.refusal_s;
    put_off_.push_back(std::move(ready));
    for (const Exclusion& exclusion : journal_.excluded()) leave_out(exclusion.node);
    return true;
  }
  if (auto entered = entered_queue(running, *name); !entered) return failure_of(entered);
  took_in(std::move(running));
  return true;
}

Result<void> Execution::keep_rejected(ReadyJob ready) {
  const Rejection rejection = scheduler_->rejection();
  if (ready.words != rejection.words && !rejection.words.empty()) {
    Event event;
    event.kind = Event::Kind::job_waiting;
    event.job = fmt::format("job-{}", next_job_);
    event.text = rejection.words;
    event.hosts = folded_hostlist(hosts_of(ready));
    tell(event);
  }
  ready.words = rejection.words;
  const bool alone = running_.empty() && rejection.of == Rejection::Of::this_one;
  if (!alone)
    ready.rejected_since_s = 0;
  else if (ready.rejected_since_s <= 0)
    ready.rejected_since_s = steady_s();
  const bool for_good = alone && steady_s() - ready.rejected_since_s >= options_.pauses.refused_s;
  if (for_good) return refuse(std::move(ready), rejection.words);
  if (rejection.of == Rejection::Of::this_one) {
    ready.suspect = true;
    ready_.push_back(std::move(ready));
  } else {
    ready_.push_front(std::move(ready));
  }
  return {};
}

Result<void> Execution::heed_rejections() {
  std::vector<ReadyJob> suspects;
  std::erase_if(ready_, [&](ReadyJob& ready) {
    if (!ready.suspect) return false;
    suspects.push_back(std::move(ready));
    return true;
  });
  for (ReadyJob& ready : suspects) {
    ready.suspect = false;
    if (++ready.passed_over < most_passed_over) {
      ready_.push_front(std::move(ready));  // again at once, as long as the queue takes others
      continue;
    }
    const std::string words = ready.words;
    if (auto refused = refuse(std::move(ready), words); !refused) return refused;
  }
  return {};
}

Result<void> Execution::refuse(ReadyJob ready, const std::string& words) {
  std::size_t steps = 0;
  for (const RunningLane& lane : ready.lanes) steps += lane.steps.size();
  if (steps <= 1) return give_up_job(ready, words);
  // One of them may be what is wrong: the others shall not go with it.
  std::vector<ReadyJob> parts;
  if (ready.lanes.size() > 1) {
    for (RunningLane& lane : ready.lanes) parts.push_back({{std::move(lane)}, {}, 0, 0});
  } else {
    // Steps behind each other share their nodes: the first goes, the others wait for them.
    RunningLane& lane = ready.lanes.front();
    for (std::size_t i = 1; i < lane.steps.size(); ++i) {
      --attempts_[lane.steps[i].work];
      dispatcher_.again(lane.steps[i].work);
    }
    lane.steps.resize(1);
    parts.push_back({{std::move(lane)}, {}, 0, 0});
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) ready_.push_front(std::move(*part));
  return {};
}

Result<void> Execution::give_up_job(const ReadyJob& ready, const std::string& words) {
  for (const RunningLane& lane : ready.lanes) {
    for (const RunningStep& step : lane.steps) {
      if (const auto abandoned = abandon_unstarted(step.place.folder()); !abandoned)
        return failure_of(abandoned);
      if (auto given = give_up(step.work, fmt::format("the scheduler refuses its job: {}", words)); !given)
        return given;
    }
    dispatcher_.release(lane.pool);
  }
  return {};
}

std::vector<std::string> Execution::hosts_of(const ReadyJob& ready) const {
  std::vector<std::string> hosts;
  for (const RunningLane& lane : ready.lanes)
    for (const int host : lane.pool) hosts.push_back(pool_[static_cast<std::size_t>(host)]);
  return hosts;
}

Result<Execution::Submitted> Execution::submit(RunningJob& running) {
  Job& job = running.job;
  const bool offered = !job.id.empty();
  if (!offered) job.id = fmt::format("job-{}", next_job_);
  job.campaign = campaign_.id;
  job.folder = folder_ / "jobs" / job.id;
  std::vector<std::pair<std::string, int>> attempts;
  for (RunningLane& lane : running.lanes) {
    JobLane& made = job.lanes.emplace_back();
    lane.hosts.clear();
    for (const int host : lane.pool) lane.hosts.push_back(pool_[static_cast<std::size_t>(host)]);
    made.hosts = lane.hosts;
    for (const RunningStep& step : lane.steps) {
      const Case& each = *step.place.planned;
      made.steps.push_back({each.id, step.place.index, step.place.folder(), limit_with_grace(each),
                            starts_from_anywhere(each.launcher)});
      attempts.emplace_back(each.id, step.place.index);
    }
  }
  if (auto kept = keep(); !kept) return failure_of(kept);
  if (auto intended = journal_.intend(job.id, attempts); !intended) return failure_of(intended);
  for (std::size_t i = 0; i < running.lanes.size(); ++i)
    for (const RunningStep& step : running.lanes[i].steps)
      if (auto prepared = prepare(step.place, job, job.lanes[i]); !prepared) return failure_of(prepared);
  if (auto made = make_private_folder(job.folder); !made) return failure_of(made);
  if (auto written = write_file(job.folder / job_file, job_json(job)); !written) return failure_of(written);
  if (offered) {  // it may have got there all the same
    const auto there = scheduler_->found(job);
    if (there && !there->empty()) {
      if (auto entered = entered_queue(running, *there); !entered) return failure_of(entered);
      return Submitted::yes;
    }
    if (!there) {
      tell_silent(to_string(there.error()));
      return Submitted::unsure;
    }
  }
  const auto known_as = scheduler_->submit(job);
  if (!known_as && (known_as.error().fault == Fault::environment || !leaves())) return failure_of(known_as);
  if (!known_as) {
    refusal_ = known_as.error().what;
    return Submitted::never;
  }
  if (known_as->empty()) {
    const Rejection rejection = scheduler_->rejection();
    if (rejection.of == Rejection::Of::all || rejection.of == Rejection::Of::this_one) return Submitted::no;
    take_id(job);
    if (rejection.of == Rejection::Of::unknown) return Submitted::put_off;
    tell_silent(rejection.words);
    return Submitted::unsure;
  }
  if (auto entered = entered_queue(running, *known_as); !entered) return failure_of(entered);
  return Submitted::yes;
}

Result<void> Execution::entered_queue(RunningJob& running, const std::string& known_as) {
  Job& job = running.job;
  take_id(job);
  silent_ = false;
  running.known_as = known_as;
  running.submitted_s = steady_s();
  if (auto noted = journal_.submitted(job.id, known_as); !noted) return noted;
  Event event;
  event.kind = Event::Kind::job_submitted;
  event.job = job.id;
  event.text = known_as;
  event.hosts = folded_hostlist(job.hosts());
  tell(event);
  return {};
}

Result<void> Execution::prepare(const AttemptPlace& place, const Job& job, const JobLane& lane) {
  Case placed = *place.planned;
  const std::string hosts = folded_hostlist(lane.hosts);
  if (leaves() && placed.hosts != hosts && !placed.program.empty()) {
    placed.hosts = hosts;
    placed.argv.clear();
    if (auto composed = compose_argv(placed, 0, &campaign_.site); !composed) return composed;
  }
  if (!secrets_of(placed).empty())
    if (auto provided = provide_secrets(folder_, campaign_); !provided) return provided;
  const JobContext context{
      campaign_.id,
      place.index,
      options_.layout.libexec / "attempt",
      grace_s,
      placed.warnings,
      node_state_command(placed, options_.layout.libexec / "node-state", &campaign_.site)};
  if (auto prepared = prepare_run_directory(place.folder(), placed, context); !prepared) return prepared;
  if (auto written = write_file(place.folder() / place_file, place_json(job.id, hosts)); !written)
    return written;
  return {};
}

}  // namespace shakedown
