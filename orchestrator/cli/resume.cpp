#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

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
};

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
        return run_to_the_end(workspace, *id, common, {options->json_events, ""}, options->break_lock);
      };
    },
};

}  // namespace shakedown::command
