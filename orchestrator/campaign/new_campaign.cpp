#include "orchestrator/campaign/new_campaign.hpp"

#include <algorithm>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/version.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/login_node.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {
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
