// What `status` knows of each case, for a watcher.
#include <algorithm>
#include <limits>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {
namespace {

/// An attempt that the user or the machine ended is followed by another; one that ended by itself is not.
CaseState state_of(const CaseStatus& status) {
  if (status.state == "running" || status.state == "unknown") return CaseState::running;
  if (status.state == "queued") return CaseState::queued;
  if (status.state == "not-run") return CaseState::not_run;
  if (status.state == to_string(AttemptState::finished) || status.state == to_string(AttemptState::imported))
    return status.failed ? CaseState::failed : CaseState::done;
  const bool lost_for_good = status.state == to_string(AttemptState::lost) && status.failed;
  if (lost_for_good || status.state == to_string(AttemptState::timed_out)) return CaseState::failed;
  return CaseState::waiting;
}

}  // namespace

std::vector<CaseProgress> case_progress(const std::vector<CaseStatus>& statuses,
                                        const CampaignRecord& campaign, bool orchestrated) {
  std::vector<CaseProgress> all;
  int open = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const CaseStatus& status = statuses[i];
    const Case& planned = campaign.cases[i].planned;
    CaseProgress& each = all.emplace_back();
    each.planned = &planned;
    each.number = static_cast<int>(i) + 1;
    each.state = state_of(status);
    each.attempt = status.attempt;
    each.spent_s = status.spent_s;
    each.job = status.job;
    each.hosts = status.hosts;
    each.start_s = status.start_s;
    if (each.state == CaseState::running) each.elapsed_s = status.elapsed_s;
    if (each.state == CaseState::queued) each.waits_for = status.text;
    const bool ended =
        each.state == CaseState::done || each.state == CaseState::failed || each.state == CaseState::not_run;
    if (!ended) open = std::min(open, stage_order(planned));
  }
  for (CaseProgress& each : all) {
    if (each.state != CaseState::waiting) continue;
    if (!orchestrated)
      each.waits_for = "not running; continue with `shakedown resume`";
    else if (stage_order(*each.planned) > open)
      each.waits_for = stage_reason(*each.planned, stage_of(open));
    else if (runs_here(campaign.scheduler))
      each.waits_for = "this machine runs one case at a time";
    else
      each.waits_for = each.planned->nodes == 1 ? std::string("an idle node")
                                                : fmt::format("{} idle nodes", each.planned->nodes);
  }
  return all;
}

}  // namespace shakedown
