// What begins now: lanes become jobs, stages follow each other.
#include "orchestrator/campaign/pass.hpp"

#include <algorithm>

#include "orchestrator/campaign/gate.hpp"
#include "orchestrator/campaign/job_book.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/composition.hpp"
#include "orchestrator/launch/run_directory.hpp"

namespace shakedown {
namespace {

constexpr double grace_s = 10;  // between SIGTERM and SIGKILL

}  // namespace

Result<void> Pass::look_at_nodes() {
  if (steady_s() < ask_nodes_at_s_) return {};
  ask_nodes_at_s_ = steady_s() + nodes_poll_s;
  auto standings = scheduler_->nodes(pool_);
  if (!standings) return pass_on(standings);
  for (std::size_t host = 0; host < pool_.size(); ++host) {
    const NodeStanding& now = (*standings)[host];
    dispatcher_.set_available(static_cast<int>(host), now.kind != NodeStanding::Kind::out);
    if (now.kind == NodeStanding::Kind::out && (nodes_.empty() || nodes_[host].kind != now.kind)) {
      Event event;
      event.kind = Event::Kind::node_unavailable;
      event.hosts = now.host;
      event.text = now.reason;
      tell(event);
    }
  }
  nodes_ = *std::move(standings);
  return {};
}

void Pass::make_ready() {
  std::vector<RunningLane> singles;
  for (DispatchedLane& lane : dispatcher_.next(traits_.longest_lane_s)) {
    RunningLane made{std::move(lane.hosts), {}};
    for (const std::size_t work : lane.works)
      made.steps.push_back({work, {folder_, &planned(work), ++attempts_[work]}, {}, false});
    const bool idle = std::ranges::all_of(made.pool, [&](int host) {
      return nodes_[static_cast<std::size_t>(host)].kind == NodeStanding::Kind::idle;
    });
    if (traits_.many_lanes && made.pool.size() == 1 && idle)
      singles.push_back(std::move(made));
    else
      ready_.push_back({std::move(made)});
  }
  if (!singles.empty()) ready_.push_front(std::move(singles));
}

void Pass::settle(std::size_t work, const AttemptRecord& attempt) {
  if (std::string why = objection_to_next_stage(attempt, planned(work)); !why.empty())
    objections_.push_back({work, std::move(why)});
  dispatcher_.end(work);
}

Result<void> Pass::pass_gates() {
  const int stage = dispatcher_.stage() / 2;
  for (Objection& objection : objections_) {
    const Case& failed = planned(objection.work);
    if (objection.heeded || failed.stage >= stage) continue;
    objection.heeded = true;
    if (leaves() && failed.bound && failed.nodes == 1) {
      if (auto out = exclude(failed.hosts, fmt::format("{}: {}", failed.id, objection.why)); !out) return out;
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

Result<void> Pass::dispatch() {
  if (steady_s() < hold_until_s_) return {};
  if (auto passed = pass_gates(); !passed) return passed;
  if (auto planned = plan_again(); !planned) return planned;
  if (ready_.empty() && dispatcher_.waiting() > 0) {
    if (auto looked = look_at_nodes(); !looked) return looked;
    make_ready();
  }
  while (!ready_.empty() && static_cast<int>(running_.size()) < traits_.most_jobs) {
    RunningJob running;
    running.lanes = ready_.front();
    const auto submitted = submit(running);
    if (!submitted) return pass_on(submitted);
    if (!*submitted) {  // the queue takes no more: later
      hold_until_s_ = steady_s() + hold_s;
      return {};
    }
    ready_.pop_front();
    running_.push_back(std::move(running));
    if (leaves()) continue;
    for (RunningLane& lane : running_.back().lanes) tell_start(running_.back(), lane.steps.front());
  }
  return {};
}

Result<bool> Pass::submit(RunningJob& running) {
  Job& job = running.job;
  job.id = fmt::format("job-{}", next_job_);
  job.campaign = campaign_.id;
  job.folder = folder_ / "jobs" / job.id;
  std::vector<std::pair<std::string, int>> attempts;
  for (const RunningLane& lane : running.lanes) {
    JobLane& made = job.lanes.emplace_back();
    for (const int host : lane.pool) made.hosts.push_back(pool_[static_cast<std::size_t>(host)]);
    for (const RunningStep& step : lane.steps) {
      const Case& each = *step.place.planned;
      const double limit_s = each.time_limit_s > 0 ? each.time_limit_s + grace_s : 0;
      made.steps.push_back(
          {each.id, step.place.index, step.place.folder(), limit_s, each.launcher == "srun"});
      attempts.emplace_back(each.id, step.place.index);
    }
  }
  if (auto intended = journal_.intend(job.id, attempts); !intended) return pass_on(intended);
  for (std::size_t i = 0; i < running.lanes.size(); ++i)
    for (const RunningStep& step : running.lanes[i].steps)
      if (auto prepared = prepare(step.place, job, job.lanes[i]); !prepared) return pass_on(prepared);
  if (auto made = make_folder(job.folder); !made) return pass_on(made);
  if (auto written = write_file(job.folder / "job.json", job_json(job)); !written) return pass_on(written);
  const auto known_as = scheduler_->submit(job);
  if (!known_as) return pass_on(known_as);
  if (known_as->empty()) {
    job.lanes.clear();
    return false;
  }
  ++next_job_;
  running.known_as = *known_as;
  running.submitted_s = steady_s();
  if (auto noted = journal_.submitted(job.id, *known_as); !noted) return pass_on(noted);
  Event event;
  event.kind = Event::Kind::job_submitted;
  event.job = job.id;
  event.text = *known_as;
  event.hosts = folded_hostlist(job.hosts());
  tell(event);
  return true;
}

Result<void> Pass::prepare(const AttemptPlace& place, const Job& job, const JobLane& lane) {
  Case placed = *place.planned;
  const std::string hosts = folded_hostlist(lane.hosts);
  if (leaves() && placed.hosts != hosts && !placed.program.empty()) {
    placed.hosts = hosts;
    placed.argv.clear();
    if (auto composed = compose_argv(placed, 0, &campaign_.site); !composed) return composed;
  }
  const JobContext context{
      campaign_.id,
      place.index,
      options_.layout.libexec / "attempt",
      grace_s,
      placed.warnings,
      node_state_command(placed, options_.layout.libexec / "node-state", &campaign_.site)};
  if (auto prepared = prepare_run_directory(place.folder(), placed, context); !prepared) return prepared;
  if (auto written = write_file(place.folder() / "place.json", place_json(job.id, hosts)); !written)
    return written;
  return {};
}

}  // namespace shakedown
