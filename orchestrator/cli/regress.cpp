#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/login_node.hpp"
#include "orchestrator/cli/support/pass_conclusion.hpp"
#include "orchestrator/cli/support/pass_frame.hpp"
#include "orchestrator/cli/support/pass_plan.hpp"
#include "orchestrator/cli/support/pass_resumption.hpp"
#include "orchestrator/cli/support/pass_textfile.hpp"
#include "orchestrator/cli/support/pass_without_verdict.hpp"
#include "orchestrator/cli/support/planning.hpp"
#include "orchestrator/cli/support/replanning.hpp"
#include "orchestrator/core/bounded_file.hpp"
#include "orchestrator/core/command_line.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/core/private_file.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown::command {
namespace {

/// Why another pass's lock is left to it, and what becomes of it where that one is gone.
std::string under_way_text(const fs::path& lock, const LockHolder& holder, const LockTimes& times) {
  return fmt::format(
      "another pass is under way ({}, by {}); a pass that gives no sign of life for {} is taken over by the "
      "next",
      holder.text(), lock.string(), duration_text(times.stale_s));
}

Result<int> new_pass(const PassFrame& frame, const PassHistory& history, FileLock& lock) {
  const auto name = scheduler_of(frame);
  if (!name) return pass_on(name);
  if (!frame.options.here && *name == "local")
    if (auto refused = login_node_refusal("shakedown regress")) return tl::unexpected<Error>(*refused);
  const auto scheduler = make_scheduler(*name, {frame.regression.facts.site, frame.layout});
  if (!scheduler) return pass_on(scheduler);
  auto planned = planned_pass(frame.regression, frame.options.config, frame.inventory, history, **scheduler);
  if (!planned) return pass_on(planned);
  if (!planned->busy.empty()) return skipped_pass(frame, planned->busy);
  NewCampaign campaign;
  campaign.plan = std::move(planned->plan);
  for (const std::string& note : planned->notes) campaign.plan.warnings.push_back(note);
  campaign.inventory = frame.inventory;
  campaign.kind = regression_kind;
  campaign.config_text = frame.regression.facts.text;
  campaign.site = frame.regression.facts.site;
  campaign.secrets = frame.regression.facts.secrets;
  campaign.planned_by = plan_options_json(planned->options);
  const auto id = stored_campaign(std::move(campaign), frame.common);
  if (!id) return pass_on(id);
  return ended_pass(frame, *id, lock, {planned->notes, planned->runs, planned->hosts});
}

Result<int> pass_under_lock(const PassFrame& frame, FileLock& lock) {
  auto history = read_history(frame);
  if (!history) return pass_on(history);
  make_up_for_textfile(frame, history->log);
  if (const auto late = untold(frame.workspace, frame.regression, history->log, history->system))
    tell_of(frame, *late);
  const std::string unfinished = unfinished_pass(frame, *history);
  if (!unfinished.empty()) {
    const auto finished = finished_pass(frame, unfinished, lock);
    if (!finished) return pass_on(finished);
    const std::optional<int>& code = *finished;
    if (code) return code.value();
    history = read_history(frame);
    if (!history) return pass_on(history);
  }
  return new_pass(frame, *history, lock);
}

Result<int> run_regress(const PassOptions& options, const CommonOptions& common) {
  const auto text = named_file_content(options.config);
  if (!text) return fail(options.config, text.error().what, "--config takes a regression.toml");
  auto regression = regression_from_toml(*text, options.config);
  if (!regression) return pass_on(regression);
  std::error_code code;
  const fs::path folder = fs::absolute(common.workspace, code);  // jobs begin elsewhere
  PassFrame frame{options, common, Workspace{folder}, installed_layout(), *std::move(regression), {}};
  find_system_beside(frame.regression.facts, options.config);
  auto inventory = chosen_inventory({}, frame.regression.facts, frame.layout);
  if (!inventory) {
    if (auto made = make_private_folder(frame.workspace.folder); !made) complain("not logged", made.error());
    return failed_early(frame, inventory.error());
  }
  frame.inventory = *std::move(inventory);
  if (auto made = make_private_folder(frame.workspace.folder); !made) {
    made.error().hint = "choose another workspace with -w DIR";
    return failed_early(frame, made.error());
  }
  if (auto watched = watched_floors(frame.regression.floor, options.config); !watched)
    return failed_early(frame, watched.error());
  LockOptions options_of_lock;
  if (!common.quiet)
    options_of_lock.tell = [](const std::string& sentence) { std::cerr << "lock: " << sentence << "\n"; };
  const fs::path lock_file = frame.workspace.folder / "regress.lock";
  auto lock = FileLock::take(lock_file, options_of_lock);
  if (!lock) {
    const LockRefusal& refusal = lock.error();
    if (!refusal.holder) return failed_early(frame, refusal.error);
    return skipped_pass(frame, under_way_text(lock_file, *refusal.holder, options_of_lock.times));
  }
  auto code_of_pass = pass_under_lock(frame, *lock);
  // Who has lost the lock has no say any more: the other one's pass is the pass.
  if (!code_of_pass && lock->keep()) failed_pass(frame, code_of_pass.error());
  return code_of_pass;
}

}  // namespace

extern const Command regress;
const Command regress = {
    .id = "regress",
    .about = "one scheduled pass: measure, compare with the passes before",
    .rank = 80,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<PassOptions>();
      app.add_option("--config", options->config, "regression.toml: budget, runs, alarm, floor, whom to tell")
          ->type_name("F")
          ->required();
      app.add_option("--metrics", options->metrics, "write a Prometheus textfile at the end")->type_name("F");
      app.add_flag("--abandon", options->abandon, "give up a pass that was cut short, and begin a new one");
      app.add_flag("--here", options->here, "measure this machine though it looks like a login node");
      app.footer(
          "Example: shakedown regress --config regression.toml -w /srv/shakedown\n"
          "Exit: 0 no alarm (also while it learns), 1 alarm or below the floor, 3 undecided, 75 skipped.\n"
          "[notify] tells of 1 and 3, of errors, and once of passes that are skipped in a row for too long.");
      return [options, &common] { return run_regress(*options, common); };
    },
};

}  // namespace shakedown::command
