#include <unistd.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "orchestrator/campaign/disturbed_runs.hpp"
#include "orchestrator/campaign/more_runs.hpp"
#include "orchestrator/campaign/node_declaration.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/launch/slurm_view.hpp"

namespace shakedown::command {
namespace {

struct ResumeOptions {
  std::string campaign;
  std::string json_events;
  bool here = false;
  bool break_lock = false;
  bool repeat_suspects = false;
  bool disturbed = false;
  OperatorExclusion exclusion;
  const CLI::Option* exclude = nullptr;  ///< whether nodes are excluded, be it none
};

/// Excludes the nodes that the operator names, and prints which.
Result<void> exclude_nodes(const Workspace& workspace, const std::string& id, const ResumeOptions& options,
                           const CommonOptions& common) {
  const OperatorExclusion& wanted = options.exclusion;
  if (options.exclude->count() == 0) {
    if (wanted.reason.empty()) return {};
    return fail("--reason", "needs --exclude HOSTLIST");
  }
  LockOptions lock;
  lock.by_force = options.break_lock;
  const auto excluded = exclude_by_operator(workspace, id, wanted, lock);
  if (!excluded) return failure_of(excluded);
  if (common.quiet) return {};
  const bool one = excluded->size() == 1;
  if (excluded->empty())
    std::cerr << fmt::format("note: {} excluded before\n", wanted.hosts);
  else
    std::cerr << fmt::format(
        "excluded {}: {} no more work. Running jobs there finish; their results count.\n",
        folded_hostlist(*excluded), one ? "it gets" : "they get");
  return {};
}

/// Adds the runs that confirm suspect nodes, or clear them.
Result<void> add_repeats(const Workspace& workspace, const std::string& id, const CommonOptions& common) {
  const auto outcome = judged_campaign(workspace, id, installed_layout());
  if (!outcome) return failure_of(outcome);
  if (!may_be_repeated(outcome->campaign.record))
    return fail("--repeat-suspects",
                is_external(outcome->campaign.record)
                    ? "the logs were made elsewhere: nothing can be repeated here"
                    : "a scheduled check repeats by itself",
                "leave it out");
  const auto more = suspect_repeats(outcome->campaign.record, outcome->judgement.node_screens);
  if (more.empty()) {
    if (!common.quiet) std::cerr << "note: no node of " << id << " waits to be repeated\n";
    return {};
  }
  return add_runs(workspace, id, more);
}

/// Asks for another attempt at each disturbed case.
Result<void> ask_for_disturbed(const Workspace& workspace, const std::string& id,
                               const ResumeOptions& options, const CommonOptions& common) {
  LockOptions lock = lock_options(common);
  lock.by_force = options.break_lock;
  const auto asked = request_disturbed(workspace, id, installed_layout(), lock);
  if (!asked) return failure_of(asked);
  if (*asked == 0 && !common.quiet) std::cerr << "note: nothing of " << id << " that counts was disturbed\n";
  return {};
}

}  // namespace

extern const Command resume;
const Command resume = {
    .id = "resume",
    .about = "resume a campaign after any interruption",
    .rank = 50,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<ResumeOptions>();
      app.add_option("campaign", options->campaign, "id or its beginning (default: the newest)")
          ->type_name("CAMPAIGN");
      app.add_option("--json-events", options->json_events, "append events as JSON lines; - for stdout")
          ->type_name("F|-");
      app.add_flag("--here", options->here, "resume here though this machine looks like a login node");
      app.add_flag(
          "--break-lock", options->break_lock,
          "take the campaign from an orchestrator of another host that you know is gone, and retry what that "
          "host had running");
      app.add_flag("--repeat-suspects", options->repeat_suspects,
                   "run the cases of nodes that are suspected to be slow three times more");
      app.add_flag("--disturbed", options->disturbed,
                   "measure every disturbed case again, and no other; all attempts are kept");
      options->exclude = app.add_option("--exclude", options->exclusion.hosts,
                                        "give these nodes no more work; what needed them is planned again")
                             ->type_name("HOSTLIST");
      app.add_option("--reason", options->exclusion.reason, "why they are excluded, for the report")
          ->type_name("TEXT");
      app.footer(
          "Example: shakedown resume\nA running job is adopted, an ended one collected, the rest is run; "
          "nothing runs twice.");
      return [options, &common]() -> Result<int> {
        if (auto one = one_document(common, options->json_events); !one) return failure_of(one);
        const std::string again = command_for(
            options->campaign.empty() ? "resume" : "resume " + options->campaign, common.workspace);
        const Workspace workspace{common.workspace};
        const auto id = chosen_campaign(workspace, options->campaign);
        if (!id) return failure_of(id);
        const std::string import_it = command_for("import " + shell_quoted(workspace.folder.string()), "DIR");
        if (::geteuid() == 0)
          if (auto owned = check_owner(
                  workspace.campaign(*id),
                  "resume it as the owner, or import it into a workspace of root's: `" + import_it + "`");
              !owned)
            return failure_of(owned);
        const auto campaign = read_campaign_folder(workspace.campaign(*id));
        if (!campaign) return failure_of(campaign);
        if (!options->here && runs_here(campaign->scheduler))
          if (auto refused = login_node_refusal(again)) return tl::unexpected<Error>(*refused);
        if (campaign->kind != "screening") print_roots(workspace.campaign(*id), common);
        if (auto done = exclude_nodes(workspace, *id, *options, common); !done) return failure_of(done);
        if (options->repeat_suspects)
          if (auto added = add_repeats(workspace, *id, common); !added) return failure_of(added);
        if (options->disturbed)
          if (auto asked = ask_for_disturbed(workspace, *id, *options, common); !asked)
            return failure_of(asked);
        return run_to_the_end(workspace, *id, common, {options->json_events, ""}, options->break_lock);
      };
    },
};

}  // namespace shakedown::command
