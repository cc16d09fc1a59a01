#include <CLI/CLI.hpp>
#include <algorithm>
#include <future>
#include <iostream>
#include <memory>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/grounded_plan.hpp"
#include "orchestrator/campaign/replanner.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/plan_options.hpp"
#include "orchestrator/cli/text/dry_run.hpp"
#include "orchestrator/cli/text/prerequisites.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/launch/slurm_view.hpp"
#include "orchestrator/planning/derivation.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown::command {
namespace {

struct RunOptions : PlanOptions {
  std::string plan;
  std::string criteria;
  std::string baseline;  ///< empty: the configuration's, else the default
  std::string json_events;
  std::string metrics;
  std::string scheduler;  ///< empty: the site's, else by where the nodes are
  bool dry_run = false;
  bool every_case = false;
  bool here = false;
  std::vector<const CLI::Option*> of_cases;  ///< options that a given plan has decided already
};

/// A run that the site has not allowed would end without a result.
Result<void> check_allowed(const Plan& plan) {
  const auto found =
      std::ranges::find_if(plan.cases, [](const Case& each) { return !each.unallowed.empty(); });
  if (found == plan.cases.end()) return {};
  return fail(found->id, found->unallowed, "state that, or take the run out");
}

Result<int> run_plan(const RunOptions& options, const CommonOptions& common) {
  if (auto alone = plan_stands_alone(options.plan, options.of_cases); !alone) return failure_of(alone);
  if (auto one = one_document(common, options.json_events); !one) return failure_of(one);
  const Layout layout = installed_layout();
  if (!options.scheduler.empty())
    if (auto known = scheduler_called(options.scheduler, layout); !known) {
      // A file's own mistake has its line for a place.
      Error error = std::move(known.error());
      if (error.where == "[site] scheduler") error.where = "--scheduler";
      return tl::unexpected<Error>(std::move(error));
    }
  // Most campaigns are shown beside this baseline: it is read, and kept, while the machine is discovered.
  std::future<Result<Baseline>> baseline_read;
  if (!options.dry_run)
    baseline_read = std::async(std::launch::async, [&] {
      return named_baseline(options.baseline.empty() ? default_baseline : options.baseline, layout.share);
    });
  auto grounded = grounded_plan(options, options.plan, /*judged_by_it=*/options.criteria.empty(), layout);
  if (!grounded) return failure_of(grounded);
  Plan& plan = grounded->plan;
  const Acceptance& acceptance = grounded->acceptance;
  if (auto refused = named_refusal(plan, acceptance); !refused) return failure_of(refused);
  if (!common.quiet)
    for (const Refusal& refusal : plan.refused)
      std::cerr << shown(fmt::format("note: {} will not run: {} ({})\n", refused_name(refusal),
                                     refusal.because, refusal.rule));
  if (!grounded->note.empty() && !common.quiet) std::cerr << grounded->note << "\n";
  const std::string system = plan.system.empty() ? grounded->inventory.system : plan.system;
  const LastAccepted accepted = accepted_values(Workspace{common.workspace}, system, now_s(), layout);
  auto criteria = options.criteria.empty()
                      ? configured_criteria(acceptance.text, grounded->configuration, layout, accepted)
                      : chosen_criteria(options.criteria, layout, accepted);
  if (!criteria) return failure_of(criteria);
  note_draft(acceptance.text, criteria->text, criteria->name, common);
  if (options.dry_run) {
    note_criteria(criteria->text, criteria->name, plan.cases, common);
    std::cout << (common.json
                      ? plan_json(plan, carried_configuration(acceptance.text, grounded->configuration))
                      : dry_run_text(plan, options.every_case));
    NewCampaign imagined;
    imagined.plan = std::move(plan);
    imagined.inventory = grounded->inventory;
    imagined.site = acceptance.site;
    if (!options.scheduler.empty()) imagined.site.scheduler = options.scheduler;
    const auto scheduler = informed_scheduler(imagined, grounded->configuration);
    if (!common.json) {
      const auto chosen = chosen_scheduler(imagined);
      if (chosen && !runs_here(*chosen)) {
        const std::filesystem::path folder = settled_folder(Workspace{common.workspace}.campaigns());
        if (scheduler && *scheduler)  // what it says of itself decides what jobs ask for
          std::cout << submissions_text(imagined.plan, **scheduler, folder) << std::flush;
        else if (const auto made = make_scheduler(*chosen, {imagined.site, layout}))
          std::cout << submissions_text(imagined.plan, **made, folder) << std::flush;
        else
          std::cerr << shown(
              fmt::format("note: how jobs would be submitted is not shown: {}\n", to_string(made.error())));
      }
    }
    const bool is_of_site = !scheduler && scheduler.error().where.find("[site]") != std::string::npos;
    if (is_of_site) return failure_of(scheduler);
    if (!scheduler) {  // it does not answer here
      std::cerr << shown(
          fmt::format("note: what the scheduler allows was not looked at, which a run needs: {}\n",
                      to_string(scheduler.error())));
      return 0;
    }
    if (*scheduler && !common.json) std::cout << scheduler_limits_text(**scheduler, imagined);
    return 0;
  }
  if (auto allowed = check_allowed(plan); !allowed) return failure_of(allowed);
  std::string baseline = options.baseline.empty() ? acceptance.baseline : options.baseline;
  if (baseline.empty()) baseline = default_baseline;
  PlanOptions planned_by = options;
  planned_by.measured = grounded->measured;
  NewCampaign campaign{std::move(plan),
                       grounded->inventory,
                       "acceptance",
                       "",
                       "",
                       baseline,
                       acceptance.text,
                       acceptance.site,
                       options.plan.empty() ? plan_options_json(planned_by) : "",
                       acceptance.secrets};
  if (!options.scheduler.empty()) campaign.site.scheduler = options.scheduler;
  const auto scheduler = chosen_scheduler(campaign);
  if (!scheduler) return failure_of(scheduler);
  if (!options.here && runs_here(*scheduler))
    if (auto refused = login_node_refusal("shakedown run")) return tl::unexpected<Error>(*refused);
  // A campaign holds its own copy of the site: a mistake there can be corrected only before.
  if (auto informed = informed_scheduler(campaign, grounded->configuration); !informed)
    return failure_of(informed);
  campaign.criteria_name = std::move(criteria->name);
  campaign.criteria_text = std::move(criteria->text);
  return started_to_the_end(std::move(campaign), common, {options.json_events, options.metrics});
}

}  // namespace

extern const Command run;
const Command run = {
    .id = "run",
    .about = "run a plan to a verdict; survives interruption",
    .rank = 40,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<RunOptions>();
      add_plan_options(app, *options);
      app.add_option("--plan", options->plan, "plan.json to run (default: derive one)")->type_name("FILE");
      options->of_cases = options_of_cases(app);
      app.add_option("--criteria", options->criteria, "criteria to judge by: a file, or the shipped `quick`")
          ->type_name("F|NAME");
      app.add_option("--baseline", options->baseline,
                     "published values to show beside (default: sakuraone), or a baseline file of your own")
          ->type_name("NAME|F");
      app.add_option("--scheduler", options->scheduler,
                     "the batch system: one that `list` names, or a file x.toml (default: slurm where they "
                     "are others)")
          ->type_name("S");
      auto* dry_run = app.add_flag("--dry-run", options->dry_run,
                                   "print argv, environment, files and batch scripts exactly; run nothing");
      app.add_flag("--every-case", options->every_case,
                   "with --dry-run: cases that differ in their nodes alone, too")
          ->needs(dry_run);
      app.add_option("--json-events", options->json_events, "append events as JSON lines; - for stdout")
          ->type_name("F|-");
      app.add_option("--metrics", options->metrics, "write a Prometheus textfile at the end")->type_name("F");
      app.add_flag("--here", options->here, "run on this machine though it looks like a login node");
      app.footer(
          "Example: shakedown plan -o plan.json && shakedown run --plan plan.json\n"
          "Ctrl-C stops and stores finished results; Ctrl-C twice kills; `shakedown resume` continues.");
      return [options, &common] {
        options->workspace = common.workspace;
        return run_plan(*options, common);
      };
    },
};

}  // namespace shakedown::command
