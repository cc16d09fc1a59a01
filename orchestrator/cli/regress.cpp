#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/check_text.hpp"
#include "orchestrator/cli/text/progress.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/launch/slurm_view.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "orchestrator/regression/check.hpp"
#include "orchestrator/regression/check_metrics.hpp"
#include "orchestrator/regression/check_plan.hpp"
#include "orchestrator/regression/conclusion.hpp"
#include "orchestrator/regression/resumption.hpp"

namespace shakedown::command {
namespace {

/// Why another check is not disturbed, and when its lock is taken over if that check is gone.
std::string under_way_text(const fs::path& lock, const LockHolder& holder, const LockTimes& times) {
  return fmt::format(
      "another check is under way ({}, by {}); a check without a heartbeat for {} is taken over by "
      "the "
      "next",
      holder.text(), lock.string(), duration_text(times.stale_s));
}

Result<int> new_check(const Check& check, const CheckHistory& history, FileLock& lock) {
  const auto name = scheduler_of(check);
  if (!name) return failure_of(name);
  if (!check.options.here && runs_here(*name))
    if (auto refused = login_node_refusal("shakedown regress")) return tl::unexpected<Error>(*refused);
  const auto scheduler = make_scheduler(*name, {check.regression.facts.site, check.layout});
  if (!scheduler) return failure_of(scheduler);
  auto planned = planned_check(check.regression, check.options.config, check.inventory, history, **scheduler);
  if (!planned) return failure_of(planned);
  if (!planned->busy.empty()) return skipped_check(check, planned->busy);
  NewCampaign campaign;
  campaign.plan = std::move(planned->plan);
  for (const std::string& note : planned->notes) campaign.plan.warnings.push_back(note);
  campaign.inventory = check.inventory;
  campaign.kind = regression_kind;
  campaign.config_text = check.regression.facts.text;
  campaign.site = check.regression.facts.site;
  campaign.secrets = check.regression.facts.secrets;
  campaign.planned_by = plan_options_json(planned->options);
  const auto id = stored_campaign(std::move(campaign), check.workspace, check.output.lock);
  if (!id) return failure_of(id);
  return concluded_check(check, *id, lock, {planned->notes, planned->runs, planned->hosts});
}

Result<int> check_under_lock(const Check& check, FileLock& lock) {
  auto history = read_check_history(check);
  if (!history) return failure_of(history);
  recover_textfile(check, history->log);
  if (const auto late = unsent_notification(check.workspace, check.regression, history->log, history->system))
    notify_of(check, *late);
  const std::string unfinished = unfinished_check(check, *history);
  if (!unfinished.empty()) {
    const auto finished = resumed_check(check, unfinished, lock);
    if (!finished) return failure_of(finished);
    const std::optional<int>& code = *finished;
    if (code) return code.value();
    history = read_check_history(check);
    if (!history) return failure_of(history);
  }
  return new_check(check, *history, lock);
}

/// Shows a check on this terminal, or as JSON.
CheckOutput output_of(const CommonOptions& common) {
  return {
      .run = [&common](const Workspace& workspace, const std::string& id,
                       const CampaignWatch& watch) -> Result<CampaignRun> {
        Progress progress(common, "");
        return shown_run(workspace, id, common, progress, /*break_lock=*/false, watch);
      },
      .warn = [](std::string_view what,
                 const Error& error) { std::cerr << what << ": " << shown_error(error) << "\n"; },
      .note =
          [&common](const std::string& line) {
            if (!common.quiet) std::cerr << shown(line) << "\n";
          },
      .skipped =
          [&common](const SkippedCheck& skipped) {
            std::cout << (common.json ? check_json(skipped) : shown(check_text(skipped)));
          },
      .concluded =
          [&common](const ConcludedCheck& concluded) {
            std::cout << (common.json ? check_json(concluded)
                                      : shown(check_text(concluded, common.verbose > 0)));
          },
      .lock = lock_options(common),
  };
}

Result<int> run_regress(const CheckOptions& options, const CommonOptions& common) {
  const auto text = named_file_content(options.config);
  if (!text) return fail(options.config, text.error().what, "--config takes a regression.toml");
  auto regression = regression_from_toml(*text, options.config);
  if (!regression) return failure_of(regression);
  std::error_code code;
  const fs::path folder = fs::absolute(common.workspace, code);  // jobs begin elsewhere
  const CheckOutput output = output_of(common);
  Check check{options, output, Workspace{folder}, installed_layout(), *std::move(regression), {}};
  find_system_beside(check.regression.facts, options.config);
  auto inventory = chosen_inventory({}, check.regression.facts, check.layout);
  if (!inventory) {
    if (auto made = make_private_folder(check.workspace.folder); !made)
      check.output.warn("not logged", made.error());
    return failed_early(check, inventory.error());
  }
  check.inventory = *std::move(inventory);
  if (auto made = make_private_folder(check.workspace.folder); !made) {
    made.error().hint = "choose another workspace with -w DIR";
    return failed_early(check, made.error());
  }
  if (auto watched = watched_floors(check.regression.floor, options.config); !watched)
    return failed_early(check, watched.error());
  const fs::path lock_file = check.workspace.folder / "regress.lock";
  auto lock = FileLock::take(lock_file, output.lock);
  if (!lock) {
    const LockRefusal& refusal = lock.error();
    if (!refusal.holder) return failed_early(check, refusal.error);
    return skipped_check(check, under_way_text(lock_file, *refusal.holder, output.lock.times));
  }
  auto exit_code = check_under_lock(check, *lock);
  // A check that has lost the lock reports nothing: the other process's check counts.
  if (!exit_code && lock->renew()) failed_check(check, exit_code.error());
  return exit_code;
}

}  // namespace

extern const Command regress;
const Command regress = {
    .id = "regress",
    .about = "one scheduled check: measure, compare with the checks before",
    .rank = 94,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<CheckOptions>();
      app.add_option("--config", options->config, "regression.toml: budget, runs, alarm, floor, notification")
          ->type_name("F")
          ->required();
      app.add_option("--metrics", options->metrics, "write a Prometheus textfile at the end")->type_name("F");
      app.add_flag("--abandon", options->abandon, "abandon an interrupted check and start a new one");
      app.add_flag("--here", options->here, "measure this machine though it looks like a login node");
      app.footer(
          "Example: shakedown regress --config regression.toml -w /srv/shakedown\n"
          "Exit: 0 no alarm (or still learning), 1 alarm or below the floor, 3 undecided, 75 skipped.\n"
          "[notify] reports 1 and 3, errors, and (once) too many skipped checks in a row.");
      return [options, &common] { return run_regress(*options, common); };
    },
};

}  // namespace shakedown::command
