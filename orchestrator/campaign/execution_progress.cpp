// CaseState a campaign stands: what runs, what waits, and for what.
#include <algorithm>

#include "orchestrator/campaign/execution.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {

void Execution::beat() {
  if (!options_.listener) return;
  const double now = steady_s();
  if (now - beaten_s_ < (changed_ ? std::min(calm_s, options_.heartbeat_s) : options_.heartbeat_s)) return;
  CampaignProgress job_state = campaign_progress(case_progress(), static_cast<int>(pool_.size()));
  job_state.elapsed_s = now - since_s_;
  job_state.stopping = stopping();
  job_state.at_once = Interrupts::count() > 1;
  Event event;
  event.kind = Event::Kind::heartbeat;
  event.progress = &job_state;
  tell(event);
  beaten_s_ = now;
  changed_ = false;
}

std::vector<CaseProgress> Execution::case_progress() const {
  std::string_view alone;
  for (const RunningJob& running : running_)
    for (const RunningLane& lane : running.lanes)
      for (const RunningStep& step : lane.steps)
        if (!step.collected && dispatcher_.work(step.work).alone) alone = planned(step.work).id;
  std::vector<CaseProgress> known_nodes(campaign_.cases.size());
  for (std::size_t work = 0; work < known_nodes.size(); ++work) {
    CaseProgress& each = known_nodes[work];
    each.planned = &planned(work);
    each.number = static_cast<int>(work) + 1;
    each.state = ends_[work];
    if (const auto it = attempts_.find(work); it != attempts_.end()) each.attempt = it->second;
    each.spent_s = spent_s_[work];
    if (each.state == CaseState::waiting) each.waits_for = waits_for(work, alone);
  }
  stand_jobs(known_nodes);
  return known_nodes;
}

void Execution::stand_jobs(std::vector<CaseProgress>& known_nodes) const {
  const bool full = static_cast<int>(running_.size()) >= traits_.most_jobs;
  for (const ReadyJob& ready : ready_)
    for (const RunningLane& lane : ready.lanes)
      for (const RunningStep& step : lane.steps)
        known_nodes[step.work].waits_for =
            full                  ? fmt::format("no more than {} jobs at once", traits_.most_jobs)
            : ready.words.empty() ? std::string("the queue takes no more jobs now")
                                  : fmt::format("the queue does not take its job now: {}", ready.words);
  for (const ReadyJob& ready : put_off_)
    for (const RunningLane& lane : ready.lanes)
      for (const RunningStep& step : lane.steps)
        known_nodes[step.work].waits_for =
            ready.refusals.words.empty()
                ? "the scheduler did not answer when its job was submitted: it is submitted again"
                : fmt::format("its job was refused, and is submitted again: {}", ready.refusals.words);
  if (unsure_)
    for (const RunningLane& lane : unsure_->lanes)
      for (const RunningStep& step : lane.steps)
        known_nodes[step.work].waits_for = "nobody answers whether its job is in the queue";
  const double now = steady_s();
  for (const RunningJob& running : running_) {
    const bool pending = running.pending && !running.began();  // the queue may have been asked long ago
    for (const RunningLane& lane : running.lanes) {
      std::string hosts;
      for (const RunningStep& step : lane.steps) {
        if (step.collected) continue;
        CaseProgress& each = known_nodes[step.work];
        if (hosts.empty()) hosts = folded_hostlist(lane.hosts);
        each.job = leaves() ? running.known_as : std::string();
        each.hosts = hosts;
        each.state = step.since_s ? CaseState::running : CaseState::queued;
        if (step.since_s)
          each.elapsed_s = now - *step.since_s;
        else if (pending)
          each.waits_for =
              running.told_reason.empty() ? "the scheduler has not said why" : running.told_reason;
        else
          each.waits_for = &step == &lane.steps.front() ? "its job begins" : "others go before it in its job";
        if (pending) each.start_s = running.start_s;
      }
    }
  }
}

std::string Execution::waits_for(std::size_t work, std::string_view alone) const {
  const Work& each = dispatcher_.work(work);
  if (stopping()) return "the campaign is being stopped";
  if (each.stage > dispatcher_.stage()) return stage_reason(planned(work), stage_of(dispatcher_.stage()));
  if (!leaves()) return "this machine runs one case at a time";
  if (!alone.empty()) return fmt::format("{} runs, and nothing may run beside it", alone);
  if (each.alone && !running_.empty()) return "nothing may run beside it";
  if (steady_s() < hold_until_s_) return "the queue takes no more jobs now";
  for (const int host : each.hosts)
    if (dispatcher_.is_excluded(host))
      return fmt::format("{} is excluded", pool_[static_cast<std::size_t>(host)]);
  if (!each.hosts.empty() || each.nodes > 1)
    if (const Shortage found = shortage(work); found.there < each.nodes && !found.out.empty())
      return shortage_text(found.out);
  if (!each.hosts.empty()) return each.hosts.size() == 1 ? "its node is taken" : "its nodes are taken";
  return each.nodes == 1 ? std::string("no idle node") : fmt::format("no {} idle nodes", each.nodes);
}

}  // namespace shakedown
