// What `status` knows of each case, for a watcher.
#include <algorithm>
#include <limits>

#include "orchestrator/campaign/campaign_standing.hpp"
#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {
namespace {

using Where = CaseStanding::Phase;

/// An attempt that the user or the machine ended is followed by another; one that ended by itself is not.
Where phase_of(const CaseStatus& status) {
  if (status.state == "running" || status.state == "unknown") return Where::running;
  if (status.state == "queued") return Where::queued;
  if (status.state == "not-run") return Where::not_run;
  if (status.state == to_string(AttemptState::finished) || status.state == to_string(AttemptState::imported))
    return status.failed ? Where::failed : Where::done;
  const bool lost_for_good = status.state == to_string(AttemptState::lost) && status.failed;
  if (lost_for_good || status.state == to_string(AttemptState::timed_out)) return Where::failed;
  return Where::waiting;
}

/// Where a case stands in the order of stages.
int turn_of(const Case& planned) {
  return 2 * planned.stage + (is_screen(planned) ? 0 : 1);
}

}  // namespace

std::vector<CaseStanding> case_standings(const std::vector<CaseStatus>& statuses,
                                         const CampaignRecord& campaign, bool orchestrated) {
  std::vector<CaseStanding> standings;
  int open = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const CaseStatus& status = statuses[i];
    const Case& planned = campaign.cases[i].planned;
    CaseStanding& each = standings.emplace_back();
    each.planned = &planned;
    each.number = static_cast<int>(i) + 1;
    each.phase = phase_of(status);
    each.attempt = status.attempt;
    each.spent_s = status.spent_s;
    each.job = status.job;
    each.hosts = status.hosts;
    each.start_s = status.start_s;
    if (each.phase == Where::running) each.elapsed_s = status.elapsed_s;
    if (each.phase == Where::queued) each.waits_for = status.text;
    const bool ended =
        each.phase == Where::done || each.phase == Where::failed || each.phase == Where::not_run;
    if (!ended) open = std::min(open, turn_of(planned));
  }
  for (CaseStanding& each : standings) {
    if (each.phase != Where::waiting) continue;
    if (!orchestrated)
      each.waits_for = "nobody orchestrates it";
    else if (turn_of(*each.planned) > open)
      each.waits_for = stage_reason(*each.planned, open / 2);
    else if (runs_here(campaign.scheduler))
      each.waits_for = "this machine runs one case at a time";
    else
      each.waits_for = each.planned->nodes == 1 ? std::string("an idle node")
                                                : fmt::format("{} idle nodes", each.planned->nodes);
  }
  return standings;
}

}  // namespace shakedown
