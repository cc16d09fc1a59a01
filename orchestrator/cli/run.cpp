#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/login_node.hpp"
#include "orchestrator/cli/support/plan_text.hpp"
#include "orchestrator/cli/support/planning.hpp"
#include "orchestrator/core/file.hpp"

namespace shakedown::command {
namespace {

struct Options : PlanOptions {
  std::string plan;
  std::string criteria;
  std::string baseline = "sakuraone";
  std::string json_events;
  bool dry_run = false;
  bool here = false;
};

Result<int> run_plan(const Options& options, const CommonOptions& common) {
  const Layout layout = installed_layout();
  const auto acceptance = chosen_acceptance(options);
  if (!acceptance) return pass_on(acceptance);
  const auto inventory = chosen_inventory(options, *acceptance, layout);
  if (!inventory) return pass_on(inventory);
  auto plan = options.plan.empty() ? derived_plan(options, *acceptance, *inventory, layout)
                                   : read_plan(options.plan, *inventory);
  if (!plan) return pass_on(plan);
  if (options.dry_run) {
    std::cout << (common.json ? plan_json(*plan) : dry_run_text(*plan));
    return 0;
  }
  if (!options.here)
    if (auto refused = login_node_refusal("shakedown run")) return tl::unexpected<Error>(*refused);
  NewCampaign campaign{std::move(*plan), *inventory, "acceptance", "", "", options.baseline};
  if (!options.criteria.empty()) {
    const fs::path shipped = layout.share / "criteria" / (options.criteria + ".toml");
    const fs::path path = fs::exists(shipped) ? shipped : fs::path(options.criteria);
    const auto text = file_content(path);
    if (!text)
      return fail(options.criteria, text.error().what,
                  "--criteria takes a TOML file with [[criteria]], or `quick`");
    campaign.criteria_name = path.filename().string();
    campaign.criteria_text = *text;
  }
  return started_to_the_end(std::move(campaign), common, options.json_events);
}

}  // namespace

extern const Command run;
const Command run = {
    .id = "run",
    .about = "run a plan to a verdict; survives interruption",
    .rank = 40,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<Options>();
      add_plan_options(app, *options);
      CLI::Option* plan = app.add_option("--plan", options->plan, "plan.json to run (default: derive one)")
                              ->type_name("FILE");
      for (const char* derived :
           {"--config", "--suite", "--implementation", "--nodes", "--exclude", "--minutes"})
        plan->excludes(app.get_option(derived));  // a plan has said all that already
      app.add_option("--criteria", options->criteria, "criteria to judge by: a file, or the shipped `quick`")
          ->type_name("F|NAME");
      app.add_option("--baseline", options->baseline, "published values to show beside (default: sakuraone)")
          ->type_name("NAME");
      app.add_flag("--dry-run", options->dry_run, "print argv, environment and files exactly; run nothing");
      app.add_option("--json-events", options->json_events, "append events as JSON lines; - for stdout")
          ->type_name("F|-");
      app.add_flag("--here", options->here, "run on this machine though it looks like a login node");
      app.footer(
          "Example: shakedown plan -o plan.json && shakedown run --plan plan.json\n"
          "Ctrl-C stops and keeps, twice kills; `shakedown resume` goes on.");
      return [options, &common] { return run_plan(*options, common); };
    },
};

}  // namespace shakedown::command
