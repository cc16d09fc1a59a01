#include "orchestrator/campaign/engine.hpp"

#include <algorithm>

#include "orchestrator/campaign/campaign_list.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/execution.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/version.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/launch/slurm_view.hpp"
#include "reports/compare/baseline.hpp"

namespace shakedown {

std::string_view to_string(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::case_started:
      return "case_started";
    case Event::Kind::case_running:
      return "case_running";
    case Event::Kind::case_ended:
      return "case_ended";
    case Event::Kind::case_skipped:
      return "case_skipped";
    case Event::Kind::case_again:
      return "case_again";
    case Event::Kind::calm_awaited:
      return "calm_awaited";
    case Event::Kind::repeat_given_up:
      return "repeat_given_up";
    case Event::Kind::case_given_up:
      return "case_given_up";
    case Event::Kind::case_replanned:
      return "case_replanned";
    case Event::Kind::job_submitted:
      return "job_submitted";
    case Event::Kind::job_waiting:
      return "job_waiting";
    case Event::Kind::job_refused:
      return "job_refused";
    case Event::Kind::node_excluded:
      return "node_excluded";
    case Event::Kind::node_unavailable:
      return "node_unavailable";
    case Event::Kind::scheduler_silent:
      return "scheduler_silent";
    case Event::Kind::interrupted:
      return "interrupted";
    case Event::Kind::heartbeat:
      return "heartbeat";
  }
  return "case_running";
}

Result<std::string> start_campaign(const Workspace& workspace, CampaignRecord campaign,
                                   const LockOptions& lock) {
  auto database = Database::open(workspace.database(), lock);
  if (!database) return failure_of(database);
  auto id = create_campaign_folder(workspace, campaign);
  if (!id) return id;
  if (auto listed = list_campaign(workspace, campaign); !listed) return failure_of(listed);
  if (auto added = database->add_campaign(campaign); !added) return failure_of(added);
  return id;
}

Result<ExecutionEnd> run_campaign(const Workspace& workspace, const std::string& id,
                                  const EngineOptions& options) {
  const fs::path folder = settled_folder(workspace.campaign(id));
  auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  if (is_external(*campaign))
    return fail(id, "holds logs of runs made elsewhere: there is nothing to run",
                fmt::format("`{}` judges it", command_for("report " + id, workspace.folder)));
  auto lock = CampaignLock::take(folder, options.lock);
  if (!lock) return failure_of(lock);
  auto database = Database::open(workspace.database(), options.lock);
  if (!database) return failure_of(database);
  // The rows may be missing: the folder is written first, and the database can be lost.
  if (auto added = database->add_campaign(*campaign); !added) return failure_of(added);
  if (auto listed = list_campaign(workspace, *campaign); !listed) return failure_of(listed);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  const Interrupts interrupts;
  if (program_in_path((options.layout.libexec / "attempt").string()).empty())
    return fail_environment((options.layout.libexec / "attempt").string(),
                            "the wrapper of each job is missing", "install shakedown again, whole");
  auto scheduler = make_scheduler(campaign->scheduler, {campaign->site, options.layout});
  if (!scheduler) return failure_of(scheduler);
  return Execution(
             {*std::move(campaign), folder, *std::move(lock), *std::move(database), *std::move(journal)},
             options, *std::move(scheduler))
      .run();
}

namespace {

/// Whether a case runs on this machine alone.
bool is_here(const Case& planned) {
  if (planned.hosts.empty()) return true;
  const auto hosts = expanded_hostlist(planned.hosts);
  const std::string here = host_name();
  const std::string short_name(split(here, '.').front());
  return hosts && std::ranges::all_of(*hosts, [&](const std::string& host) {
           return host == here || host == "localhost" || split(host, '.').front() == short_name;
         });
}

}  // namespace

Result<std::string> chosen_scheduler(const NewCampaign& wanted) {
  std::string chosen = wanted.site.scheduler;
  const auto elsewhere = std::ranges::find_if_not(wanted.plan.cases, is_here);
  if (chosen.empty()) chosen = elsewhere == wanted.plan.cases.end() || !has_slurm() ? "local" : "slurm";
  auto called = scheduler_called(chosen, installed_layout());
  if (!called) return called;
  if (runs_here(chosen) && elsewhere != wanted.plan.cases.end())
    return fail(
        elsewhere->id,
        fmt::format("the plan names other hosts ({}), and this is {}", elsewhere->hosts, host_name()),
        "run this on a node where Slurm works (`sinfo`), or plan for this machine: leave --inventory out");
  return called;
}

Result<std::string> stored_campaign(NewCampaign wanted, const Workspace& workspace, const LockOptions& lock) {
  CampaignRecord campaign;
  campaign.system = wanted.plan.system.empty() ? wanted.inventory.system : wanted.plan.system;
  campaign.kind = wanted.kind;
  campaign.created_s = now_s();
  campaign.tool_version = tool_version;
  campaign.inventory = wanted.inventory;
  campaign.criteria_name = wanted.criteria_name;
  campaign.criteria_text = wanted.criteria_text;
  campaign.baseline_name = wanted.baseline;
  if (is_baseline_file(wanted.baseline)) {  // its copy in the folder can't change any more
    auto text = named_file_content(wanted.baseline);
    if (!text) return failure_of(text);
    const auto baseline = baseline_from(*text, wanted.baseline);
    if (!baseline) return failure_of(baseline);
    campaign.baseline_name = baseline->name;
    campaign.baseline_text = *std::move(text);
  }
  campaign.config_text = wanted.config_text;
  campaign.site = wanted.site;
  campaign.planned_by = wanted.planned_by;
  if (auto scheduler = chosen_scheduler(wanted)) campaign.scheduler = *scheduler;
  campaign.refused = wanted.plan.refused;
  campaign.warnings = wanted.plan.warnings;
  for (Case& planned : wanted.plan.cases) campaign.cases.push_back({std::move(planned)});
  wanted.plan.cases.clear();
  const auto secrets = secrets_with_values(campaign, wanted.secrets);
  if (!secrets) return failure_of(secrets);
  auto id = start_campaign(workspace, std::move(campaign), lock);
  if (!id) return id;
  if (auto written = write_secrets(workspace.campaign(*id), *secrets); !written) return failure_of(written);
  return id;
}

}  // namespace shakedown
