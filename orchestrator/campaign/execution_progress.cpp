#include "orchestrator/campaign/execution_progress.hpp"

#include <string_view>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

/// The case that runs now beside which nothing may run; empty: none does.
std::string_view running_alone(const ExecutionContext& context) {
  std::string_view alone;
  for (const RunningJob& running : context.running)
    for (const RunningLane& lane : running.lanes)
      for (const RunningStep& step : lane.steps)
        if (!step.collected && context.dispatcher.work(step.work).alone)
          alone = context.planned(step.work).id;
  return alone;
}

/// Why a case waits that is in no job.
std::string waits_for(const ExecutionView& view, std::size_t work, std::string_view alone) {
  const ExecutionContext& context = view.context;
  const Work& each = context.dispatcher.work(work);
  if (context.stopping()) return "the campaign is being stopped";
  if (each.stage > context.dispatcher.stage())
    return stage_reason(context.planned(work), stage_of(context.dispatcher.stage()));
  if (!context.outlives_us())
    return view.calm.empty() || !context.running.empty() ? "this machine runs one case at a time" : view.calm;
  if (!alone.empty()) return fmt::format("{} runs, and nothing may run beside it", alone);
  if (each.alone && !context.running.empty()) return "nothing may run beside it";
  if (view.queue.is_held()) return "the queue takes no more jobs now";
  for (const int host : each.hosts)
    if (context.dispatcher.is_excluded(host)) return fmt::format("{} is excluded", context.host(host));
  if (!each.hosts.empty() || each.nodes > 1)
    if (const NodeShortage found = view.nodes.shortage(work); found.there < each.nodes && !found.out.empty())
      return view.nodes.shortage_text(found.out);
  if (!each.hosts.empty()) return each.hosts.size() == 1 ? "its node is taken" : "its nodes are taken";
  return each.nodes == 1 ? std::string("no idle node") : fmt::format("no {} idle nodes", each.nodes);
}

/// Adds what is known of the attempts of a job that was submitted.
void add_job(const RunningJob& running, bool has_name, std::vector<CaseProgress>& cases) {
  const double now = steady_s();
  const bool pending = running.pending && !running.began();  // the queue may have been asked long ago
  for (const RunningLane& lane : running.lanes) {
    std::string hosts;
    for (const RunningStep& step : lane.steps) {
      if (step.collected) continue;
      CaseProgress& each = cases[step.work];
      if (hosts.empty()) hosts = folded_hostlist(lane.hosts);
      each.job = has_name ? running.known_as : std::string();
      each.hosts = hosts;
      each.state = step.since_s ? CaseState::running : CaseState::queued;
      if (step.since_s)
        each.elapsed_s = now - *step.since_s;
      else if (pending)
        each.waits_for = running.reported_reason.empty() ? "the scheduler has not reported a reason"
                                                         : running.reported_reason;
      else
        each.waits_for =
            &step == &lane.steps.front() ? "its job begins" : "other cases run before it in its job";
      if (pending) each.start_s = running.start_s;
    }
  }
}

}  // namespace

std::vector<CaseProgress> live_case_progress(const ExecutionView& view) {
  const ExecutionContext& context = view.context;
  const std::string_view alone = running_alone(context);
  std::vector<CaseProgress> cases(context.campaign.cases.size());
  for (std::size_t work = 0; work < cases.size(); ++work) {
    CaseProgress& each = cases[work];
    const CaseAccount& account = view.ledger.of(work);
    each.planned = &context.planned(work);
    each.number = static_cast<int>(work) + 1;
    each.state = account.end;
    each.attempt = account.attempts;
    each.spent_s = account.spent_s;
    if (each.state == CaseState::waiting) each.waits_for = waits_for(view, work, alone);
  }
  for (auto& [work, reason] : view.queue.reasons()) cases[work].waits_for = reason;
  for (const RunningJob& running : context.running) add_job(running, context.outlives_us(), cases);
  return cases;
}

}  // namespace shakedown
