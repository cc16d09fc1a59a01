// Jobs that wait, here or in the scheduler's queue, and the nodes that they wait for.
#include <algorithm>
#include <utility>

#include "orchestrator/campaign/submit_queue.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {

Result<void> SubmitQueue::review(RunningJob& running) {
  if (running.began() || running.ending || context_.stopping()) return {};
  if (running.withdrawn) {
    if (steady_s() - running.withdrawn_s < context_.options.pauses.hold_s) return {};
    context_.scheduler->withdraw(running.job);  // a batch system that did not answer may not have heard of it
    running.withdrawn_s = steady_s();
    return {};
  }
  if (const auto excluded = nodes_.excluded_nodes(running); !excluded.empty()) {
    withdraw(running, fmt::format("{} {} excluded: the job is taken out of the queue",
                                  folded_hostlist(excluded), excluded.size() == 1 ? "is" : "are"));
    return {};
  }
  if (const auto down = nodes_.nodes_in_outage(running); !down.empty()) {
    withdraw(running, fmt::format("{} stay{} down: the job is withdrawn and its case waits for nodes",
                                  folded_hostlist(down), down.size() == 1 ? "s" : ""));
    return {};
  }
  // The work of one lane has its nodes for good where it is bound to them.
  const bool alone = running.lanes.size() < 2;
  const RunningLane& first = running.lanes.front();
  const bool bound = alone && std::ranges::any_of(first.steps, [&](const RunningStep& step) {
                       return context_.planned(step.work).bound;
                     });
  if (bound ||
      steady_s() - std::max(running.submitted_s, running.looked_at_s) < context_.options.pauses.shared_s)
    return {};
  running.looked_at_s = steady_s();
  if (auto looked = nodes_.look_again(); !looked) return looked;
  if (events_.is_silent()) return {};
  std::vector<std::string> out;
  std::vector<std::string> taken;
  std::string why;
  for (const RunningLane& lane : running.lanes)
    for (const int host : lane.pool) {
      const SchedulerNode& node = nodes_.node(host);
      if (node.kind == SchedulerNode::Kind::out) out.push_back(node.host);
      if (node.kind == SchedulerNode::Kind::out) why = node.reason;
      if (node.kind != SchedulerNode::Kind::idle) taken.push_back(node.host);
    }
  if (alone && !out.empty())  // waited for in vain where others will do
    withdraw(running, fmt::format("{} get{} no jobs ({}): the job is withdrawn and its case waits for nodes",
                                  folded_hostlist(out), out.size() == 1 ? "s" : "", why));
  else if (alone && !taken.empty() &&
           context_.dispatcher.has_idle_nodes(first.steps.front().work, first.pool))
    withdraw(running, fmt::format("{} taken: other nodes are idle", folded_hostlist(taken)));
  // Where all are free, or none is, other jobs would wait as well.
  else if (!alone && !taken.empty() && taken.size() < running.job.hosts().size())
    withdraw(running, fmt::format("{} taken: the others go without", folded_hostlist(taken)));
  return {};
}

void SubmitQueue::withdraw(RunningJob& running, const std::string& because) {
  context_.scheduler->withdraw(running.job);
  running.withdrawn = true;
  running.withdrawn_s = steady_s();
  events_.report_waiting(running, because);
}

void SubmitQueue::put_back(RunningJob& running) {
  for (RunningLane& lane : running.lanes)
    for (RunningStep& step : lane.steps) {
      ledger_.take_back(step.work);
      step.collected = true;
    }
}

void SubmitQueue::withdraw_late(const std::string& job_id) {
  Job late;
  late.id = job_id;
  late.campaign = context_.campaign.id;
  late.folder = context_.folder / "jobs" / job_id;
  if (const auto known_as = context_.scheduler->found(late); known_as && !known_as->empty())
    context_.scheduler->withdraw(late);
}

void SubmitQueue::drop_excluded() {
  if (std::exchange(exclusions_, context_.journal.excluded().size()) == context_.journal.excluded().size())
    return;
  const auto is_excluded = [&](int host) { return context_.dispatcher.is_excluded(host); };
  for_each_ready([&](ReadyJob& ready) {
    const auto taken = std::erase_if(ready.lanes, [&](const RunningLane& lane) {
      if (std::ranges::none_of(lane.pool, is_excluded)) return false;
      for (const RunningStep& step : lane.steps) ledger_.take_back(step.work);
      context_.dispatcher.release(lane.pool);
      return true;
    });
    if (taken > 0 && !ready.job_id.empty()) {
      withdraw_late(ready.job_id);
      ready.job_id.clear();  // it is another job now
    }
  });
  for (auto* jobs : {&ready_, &put_off_})
    std::erase_if(*jobs, [](const ReadyJob& ready) { return ready.lanes.empty(); });
}

void SubmitQueue::point_to_cases() {
  const auto point = [&](std::vector<RunningLane>& lanes) {
    for (RunningLane& lane : lanes)
      for (RunningStep& step : lane.steps) step.place.planned = &context_.planned(step.work);
  };
  for (RunningJob& running : context_.running) point(running.lanes);
  for_each_ready([&](ReadyJob& ready) { point(ready.lanes); });
  if (unsure_) point(unsure_->lanes);
}

void SubmitQueue::adopt_unsure() {
  if (!unsure_) return;
  const auto name = context_.scheduler->found(unsure_->job);
  if (!name || name->empty()) return;
  unsure_->known_as = *name;
  context_.running.push_back(*std::move(unsure_));
  unsure_.reset();
}

bool SubmitQueue::is_held() const {
  return steady_s() < hold_until_s_;
}

std::set<std::size_t> SubmitQueue::not_begun() const {
  std::set<std::size_t> works;
  const auto add = [&](const std::vector<RunningLane>& lanes) {
    for (const RunningLane& lane : lanes)
      for (const RunningStep& step : lane.steps) works.insert(step.work);
  };
  for (const RunningJob& running : context_.running)
    if (running.pending && !running.began()) add(running.lanes);
  for (const ReadyJob& ready : ready_) add(ready.lanes);
  for (const ReadyJob& ready : put_off_) add(ready.lanes);
  for (std::size_t work = 0; work < context_.campaign.cases.size(); ++work)
    if (context_.dispatcher.is_waiting(work)) works.insert(work);
  return works;
}

std::vector<std::pair<std::size_t, std::string>> SubmitQueue::reasons() const {
  std::vector<std::pair<std::size_t, std::string>> reasons;
  const auto add = [&](const std::vector<RunningLane>& lanes, const std::string& reason) {
    for (const RunningLane& lane : lanes)
      for (const RunningStep& step : lane.steps) reasons.emplace_back(step.work, reason);
  };
  const int most = context_.traits.most_jobs;
  const bool full = static_cast<int>(context_.running.size()) >= most;
  for (const ReadyJob& ready : ready_)
    add(ready.lanes, full ? fmt::format("no more than {} jobs at once", most)
                     : ready.words.empty()
                         ? std::string("the queue takes no more jobs now")
                         : fmt::format("the queue does not take its job now: {}", ready.words));
  for (const ReadyJob& ready : put_off_)
    add(ready.lanes,
        ready.refusals.words.empty()
            ? "the scheduler did not answer when its job was submitted: it is submitted again"
            : fmt::format("its job was refused, and is submitted again: {}", ready.refusals.words));
  if (unsure_) add(unsure_->lanes, "nobody answers whether its job is in the queue");
  return reasons;
}

void SubmitQueue::for_each_ready(const std::function<void(ReadyJob&)>& visit) {
  for (ReadyJob& ready : ready_) visit(ready);
  for (ReadyJob& ready : put_off_) visit(ready);
}

std::vector<std::string> SubmitQueue::hosts_of(const ReadyJob& ready) const {
  std::vector<std::string> hosts;
  for (const RunningLane& lane : ready.lanes)
    for (const int host : lane.pool) hosts.push_back(context_.host(host));
  return hosts;
}

}  // namespace shakedown
