#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/campaign/measured_rates.hpp"
#include "orchestrator/campaign/replanner.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/plan_options.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/launch/slurm_view.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "orchestrator/planning/plan_options.hpp"

namespace shakedown::command {
namespace {

constexpr double default_minutes = 3;

struct QuickOptions {
  std::vector<std::string> suites;
  double minutes = default_minutes;
  bool here = false;
};

Result<int> run_quick(const QuickOptions& options, const CommonOptions& common) {
  if (!options.here)
    if (auto refused = login_node_refusal("shakedown quick")) return tl::unexpected<Error>(*refused);
  const Layout layout = installed_layout();
  PlanOptions wanted;
  wanted.suites = options.suites;
  wanted.minutes = options.minutes;
  wanted.implementation = "reference";
  wanted.no_other_implementation = true;
  const auto inventory = chosen_inventory(wanted, Acceptance(), layout);
  if (!inventory) return failure_of(inventory);
  wanted.measured = measured_rates(Workspace{common.workspace}, *inventory);
  auto plan = derived_plan(wanted, Acceptance(), *inventory, layout);
  if (!plan) return failure_of(plan);
  if (auto refused = named_refusal(*plan, Acceptance()); !refused) return failure_of(refused);
  const auto criteria = file_content(layout.share / "criteria" / "quick.toml");
  if (!criteria) return failure_of(criteria);
  NewCampaign campaign{
      std::move(*plan),         *inventory, "screening", "quick.toml", *criteria, default_baseline, "", {},
      plan_options_json(wanted)};
  return started_to_the_end(std::move(campaign), common);
}

}  // namespace

extern const Command quick;
const Command quick = {
    .id = "quick",
    .about = "measure this machine with the reference kernels, judge, report",
    .rank = 10,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<QuickOptions>();
      app.add_option("--suite", options->suites, "run this suite (repeatable; default: all)")->type_name("S");
      app.add_option("--minutes", options->minutes,
                     "time budget (default: 3); as long again is waited for calm")
          ->type_name("M")
          ->check(CLI::Validator(positive_number, ""));
      app.add_flag("--here", options->here, "run on this machine though it looks like a login node");
      app.footer(
          "Example: shakedown quick --minutes 10\n"
          "A screening with small problems, not an acceptance.");
      return [options, &common] { return run_quick(*options, common); };
    },
};

}  // namespace shakedown::command
