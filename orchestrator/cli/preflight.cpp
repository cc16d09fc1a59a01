#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/campaign/grounded_plan.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/plan_options.hpp"
#include "orchestrator/cli/text/prerequisites.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/launch/slurm_view.hpp"

namespace shakedown::command {
namespace {

struct PreflightOptions : PlanOptions {
  std::string plan;
  std::string scheduler;
  std::string check;  ///< on the node: the list to look at
  bool here = false;
  std::vector<const CLI::Option*> of_cases;  ///< options that a given plan has decided already
};

/// On the node: answers the list on standard output.
Result<int> answered(const std::string& list) {
  const auto text = file_content(list);
  if (!text) return failure_of(text);
  auto asked = requirements_from_json(*text, list);
  if (!asked) return failure_of(asked);
  for (CheckedRequirement& each : *asked) each = checked(each.requirement);
  std::cout << requirements_json(*asked, host_name());
  return 0;
}

Result<int> look(const PreflightOptions& options, const CommonOptions& common) {
  if (!options.check.empty()) return answered(options.check);
  if (auto alone = plan_stands_alone(options.plan, options.of_cases); !alone) return failure_of(alone);
  const Layout layout = installed_layout();
  auto grounded = grounded_plan(options, options.plan, /*judged_by_it=*/false, layout);
  if (!grounded) return failure_of(grounded);
  NewCampaign wanted;
  wanted.plan = std::move(grounded->plan);
  wanted.site = grounded->acceptance.site;
  if (!options.scheduler.empty()) wanted.site.scheduler = options.scheduler;
  const auto scheduler = chosen_scheduler(wanted);
  if (!scheduler) return failure_of(scheduler);
  if (runs_here(*scheduler) && !options.here)
    if (auto refused = login_node_refusal("shakedown preflight")) return tl::unexpected<Error>(*refused);
  const auto informed = informed_scheduler(wanted, grounded->configuration);
  if (!informed) return failure_of(informed);
  const auto never = *informed ? never_run(**informed, wanted.plan) : std::vector<std::string>();
  for (const std::string& line : never) std::cerr << line << "\n";
  CampaignRecord campaign;
  campaign.scheduler = *scheduler;
  campaign.site = wanted.site;
  for (Case& planned : wanted.plan.cases) campaign.cases.push_back({std::move(planned)});
  const Terminal terminal(common);
  const auto found = looked_for(campaign, Workspace{common.workspace}, layout, [&](std::size_t count) {
    if (terminal.talks())
      std::cerr << terminal.dim("asks ")
                << fmt::format("{} for one node, {} requirements\n", *scheduler, count);
  });
  if (!found) return failure_of(found);
  std::cout << (common.json ? prerequisites_json(*found) : prerequisites_text(*found));
  if (found->seen.signal != 0) return 128 + found->seen.signal;
  if (!found->seen.inconclusive.empty()) return exit_undecided;
  return never.empty() && lacking(found->needed, found->seen).empty() ? 0 : exit_environment;
}

}  // namespace

extern const Command preflight;
const Command preflight = {
    .id = "preflight",
    .about = "check on a compute node what a plan's cases need there",
    .rank = 35,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<PreflightOptions>();
      add_plan_options(app, *options);
      options->of_cases = options_of_cases(app);
      app.add_option("--plan", options->plan, "plan.json whose cases are to run (default: derive one)")
          ->type_name("FILE");
      app.add_option("--scheduler", options->scheduler,
                     "batch system that gets the node: one that `list` names, or a file x.toml (default: "
                     "slurm where the nodes are others)")
          ->type_name("S");
      app.add_flag("--here", options->here, "look at this machine though it looks like a login node");
      app.add_option("--check", options->check, "answer a list of requirements on this machine")->group("");
      app.footer(
          "Example: shakedown preflight --plan plan.json\nExit code 4: something is missing, or Slurm will "
          "not run a case.");
      return [options, &common] {
        options->workspace = common.workspace;
        return look(*options, common);
      };
    },
};

}  // namespace shakedown::command
