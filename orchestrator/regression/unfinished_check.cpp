#include "orchestrator/regression/unfinished_check.hpp"

#include <algorithm>
#include <set>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {
namespace {

constexpr double most_checks_late = 2;

/// The nodes of cases that have yet to run; none where one runs now.
std::vector<std::string> nodes_lacking(const fs::path& folder, const CampaignRecord& campaign,
                                       const Layout& layout) {
  const auto statuses = case_statuses(folder, campaign, layout);
  std::set<std::string> nodes;
  for (std::size_t i = 0; i < statuses.size() && i < campaign.cases.size(); ++i) {
    const std::string& state = statuses[i].state;
    if (state == to_string(AttemptState::running)) return {};
    if (state == to_string(AttemptState::finished) || state == to_string(AttemptState::timed_out) ||
        state == "not-run")
      continue;
    if (const auto hosts = expanded_hostlist(campaign.cases[i].planned.hosts))
      nodes.insert(hosts->begin(), hosts->end());
  }
  return {nodes.begin(), nodes.end()};
}

}  // namespace

bool is_outdated(const Regression& regression, double created_s, double now_s) {
  return now_s - created_s > most_checks_late * week_s / regression.checks_per_week;
}

bool lacks_runs(const Workspace& workspace, const CampaignRecord& campaign, const Layout& layout) {
  return !nodes_lacking(workspace.campaign(campaign.id), campaign, layout).empty();
}

Result<std::string> nodes_taken(const Workspace& workspace, const CampaignRecord& campaign,
                                const Layout& layout) {
  if (runs_here(campaign.scheduler)) return std::string();
  const auto nodes = nodes_lacking(workspace.campaign(campaign.id), campaign, layout);
  if (nodes.empty()) return std::string();
  const auto scheduler = make_scheduler(campaign.scheduler, {campaign.site, layout});
  if (!scheduler) return failure_of(scheduler);
  if (auto learned = (*scheduler)->learn_limits(); !learned) return failure_of(learned);
  const auto standings = (*scheduler)->nodes(nodes);
  if (!standings) return failure_of(standings);
  for (const SchedulerNode& each : *standings)
    if (each.kind != SchedulerNode::Kind::idle)
      return fmt::format("{} is not idle{}{}", each.host, each.reason.empty() ? "" : ": ", each.reason);
  return std::string();
}

std::vector<std::string> planned_nodes(const CampaignRecord& campaign) {
  std::set<std::string> nodes;
  for (const CaseRecord& record : campaign.cases)
    if (const auto hosts = expanded_hostlist(record.planned.hosts))
      nodes.insert(hosts->begin(), hosts->end());
  return {nodes.begin(), nodes.end()};
}

Result<CheckVerdict> closed_check(const Workspace& workspace, const CampaignRecord& campaign, Closed how,
                                  const std::string& because, const StopNote& note, const Layout& layout) {
  const fs::path folder = workspace.campaign(campaign.id);
  if (const Holder holder = campaign_holder(folder); holder.pid != 0)
    return fail_environment(campaign.id,
                            fmt::format("is being run by process {} on {}", holder.pid, holder.host),
                            "`shakedown cancel` ends it");
  if (auto ended = end_jobs(folder, campaign, layout, note); !ended) return failure_of(ended);
  CheckVerdict verdict;
  verdict.missing.push_back({"the whole check", because});
  verdict.sentence = fmt::format("regression check: {}: {}",
                                 how == Closed::given_up ? "undecided: abandoned" : "skipped", because);
  verdict.exit_code = 3;
  if (how == Closed::given_up) {
    const LoggedCheck logged{campaign.system,         campaign.id, campaign.created_s,
                             verdict.exit_code,       {},          planned_nodes(campaign),
                             {std::string(every_run)}};
    if (auto noted = log_check(workspace, logged); !noted) return failure_of(noted);
  }
  if (auto written = write_check_verdict(folder, verdict); !written) return failure_of(written);
  return verdict;
}

}  // namespace shakedown
