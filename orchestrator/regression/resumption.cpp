#include "orchestrator/regression/resumption.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/regression/check_metrics.hpp"
#include "orchestrator/regression/check_plan.hpp"
#include "orchestrator/regression/conclusion.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {
namespace {

/// Whether a case is of a run, as far as its configuration states.
bool is_of(const Case& planned, const AcceptanceRun& run) {
  return planned.suite == run.suite &&
         (run.implementation.empty() || planned.implementation == run.implementation) &&
         (run.benchmark.empty() || planned.benchmark == run.benchmark) &&
         (!run.each_node || planned.nodes == 1) && (run.nodes.empty() || planned.nodes == run.nodes.front());
}

/// The runs of the configuration that a campaign has cases of.
std::vector<std::string> labels_of(const Regression& regression, const CampaignRecord& campaign) {
  std::vector<std::string> labels;
  for (const AcceptanceRun& run : regression.facts.runs)
    if (std::ranges::any_of(campaign.cases,
                            [&](const CaseRecord& record) { return is_of(record.planned, run); }))
      labels.push_back(run_label(run));
  return labels;
}

/// Reports an abandoned check, to people and by notification.
Result<void> given_up(const Check& check, const CampaignRecord& campaign, const std::string& because,
                      const StopNote& note) {
  auto verdict = closed_check(check.workspace, campaign, Closed::given_up, because, note, check.layout);
  if (!verdict) return failure_of(verdict);
  remove_secrets(check.workspace.campaign(campaign.id));
  check.output.warn("abandoned", {"check " + campaign.id, because, "", Fault::input});
  CheckMetrics metrics = CheckMetrics::read(check.workspace);
  metrics.record_verdict(campaign.system, campaign.created_s, *verdict, all_hosts(check.inventory));
  record_and_write_textfile(check, std::move(metrics));
  notify_of(check, {campaign.system, campaign.id, check.regression.facts.title, {}, *std::move(verdict)});
  return {};
}

}  // namespace

std::string unfinished_check(const Check& check, const CheckHistory& history) {
  if (history.checks.empty()) return "";
  const std::string& id = history.checks.back().id;
  std::error_code code;
  const fs::path folder = check.workspace.campaign(id);
  return fs::exists(folder, code) && !fs::exists(folder / check_verdict_file, code) ? id : "";
}

Result<std::optional<int>> resumed_check(Check check, const std::string& id, FileLock& lock) {
  const std::string remedy = "run `shakedown regress` as the owner, or move this folder out of the workspace";
  if (auto owned = check_owner(check.workspace.campaign(id), remedy); !owned) return failure_of(owned);
  auto campaign = read_campaign_folder(check.workspace.campaign(id));
  std::string unreadable;
  if (!campaign &&
      campaign.error().fault == Fault::input) {  // one of another version: the store knows it, too
    unreadable = to_string(campaign.error());
    const auto database = Database::open(check.workspace.database());
    if (!database) return failure_of(database);
    campaign = database->campaign(id);
  }
  if (!campaign) return failure_of(campaign);
  const auto give_up_by = [&](const StopNote& note,
                              const std::string& because) -> Result<std::optional<int>> {
    if (auto done = given_up(check, *campaign, because, note); !done) return failure_of(done);
    return std::nullopt;
  };
  const auto give_up = [&](const std::string& because) {
    return give_up_by(stop_note_of_check("the check is abandoned"), because);
  };
  if (check.options.abandon)
    return give_up_by(stop_note("shakedown regress --abandon"), "abandoned by the user (--abandon)");
  if (!unreadable.empty()) return give_up("it can't be read: " + unreadable);
  auto regression = regression_from_toml(campaign->config_text, id + "/regression.toml");
  if (!regression) return give_up("its configuration can't be read: " + to_string(regression.error()));
  const auto taken = nodes_taken(check.workspace, *campaign, check.layout);
  if (!taken) return failure_of(taken);
  if (is_outdated(*regression, campaign->created_s, now_s())) {
    const std::string cut = "it was interrupted on " + utc_text(campaign->created_s);
    if (!taken->empty()) return give_up(cut + ", and its nodes are still taken: " + *taken);
    if (lacks_runs(check.workspace, *campaign, check.layout))
      return give_up(cut + "; it is still incomplete, and two more checks were due since");
  }
  if (!taken->empty())
    return skipped_check(
        check, fmt::format("the check {} was interrupted and waits for its nodes: {} (`shakedown regress "
                           "--abandon` abandons it)",
                           id, *taken));
  regression->notice = check.regression.notice;  // the present one
  check.regression = *std::move(regression);
  check.output.note("resumes the interrupted check " + id);
  return concluded_check(check, id, lock, {{}, labels_of(check.regression, *campaign), reachable_now(check)});
}

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
  if (auto learned = (*scheduler)->query_limits(); !learned) return failure_of(learned);
  const auto standings = (*scheduler)->nodes(nodes);
  if (!standings) return failure_of(standings);
  for (const SchedulerNode& each : *standings)
    if (each.kind != SchedulerNode::Kind::idle)
      return fmt::format("{} is not idle{}{}", each.host, each.reason.empty() ? "" : ": ", each.reason);
  return std::string();
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
