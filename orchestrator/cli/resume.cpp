#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "orchestrator/campaign/more_runs.hpp"
#include "orchestrator/campaign/suspect_repeats.hpp"
#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/login_node.hpp"

namespace shakedown::command {
namespace {

struct Options {
  std::string campaign;
  std::string json_events;
  bool here = false;
  bool break_lock = false;
  bool repeat_suspects = false;
};

/// Adds the runs that confirm suspect nodes, or clear them.
Result<void> add_repeats(const Workspace& workspace, const std::string& id, const CommonOptions& common) {
  const auto outcome = judged_campaign(workspace, id, installed_layout());
  if (!outcome) return pass_on(outcome);
  if (!may_be_repeated(outcome->campaign))
    return fail("--repeat-suspects",
                is_external(outcome->campaign) ? "the logs were made elsewhere: nothing can be repeated here"
                                               : "a scheduled pass repeats by itself",
                "leave it out");
  const auto more = suspect_repeats(outcome->campaign, outcome->judgement.node_screens);
  if (more.empty()) {
    if (!common.quiet) std::cerr << "note: no node of " << id << " waits to be repeated\n";
    return {};
  }
  return add_runs(workspace, id, more);
}

}  // namespace

extern const Command resume;
const Command resume = {
    .id = "resume",
    .about = "go on with a campaign after any interruption",
    .rank = 50,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<Options>();
      app.add_option("campaign", options->campaign, "id or its beginning (default: the newest)")
          ->type_name("CAMPAIGN");
      app.add_option("--json-events", options->json_events, "append events as JSON lines; - for stdout")
          ->type_name("F|-");
      app.add_flag("--here", options->here, "go on though this machine looks like a login node");
      app.add_flag("--break-lock", options->break_lock,
                   "take the campaign from an orchestrator of another host that you know is gone");
      app.add_flag("--repeat-suspects", options->repeat_suspects,
                   "run the cases of nodes that are suspected to be slow three times more");
      app.footer(
          "Example: shakedown resume\nA running job is adopted, an ended one collected, the rest is run; "
          "nothing runs twice.");
      return [options, &common]() -> Result<int> {
        if (auto one = one_document(common, options->json_events); !one) return pass_on(one);
        const std::string again = command_for(
            options->campaign.empty() ? "resume" : "resume " + options->campaign, common.workspace);
        const Workspace workspace{common.workspace};
        const auto id = chosen_campaign(workspace, options->campaign);
        if (!id) return pass_on(id);
        const auto campaign = read_campaign_folder(workspace.campaign(*id));
        if (!campaign) return pass_on(campaign);
        if (!options->here && campaign->scheduler == "local")
          if (auto refused = login_node_refusal(again)) return tl::unexpected<Error>(*refused);
        if (options->repeat_suspects)
          if (auto added = add_repeats(workspace, *id, common); !added) return pass_on(added);
        return run_to_the_end(workspace, *id, common, {options->json_events, ""}, options->break_lock);
      };
    },
};

}  // namespace shakedown::command
