#include <signal.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/core/layout.hpp"

namespace shakedown::command {
namespace {

constexpr const char* cancel_command = "shakedown cancel";

void print_outcome(const CommonOptions& common, const std::string& id, const std::string& outcome) {
  if (common.json)
    std::cout << nlohmann::ordered_json{{"schema", "shakedown.cancel/1"},
                                        {"campaign", id},
                                        {"outcome", outcome}}
                     .dump()
              << "\n";
  else
    std::cout << id << ": " << outcome << "\n";
}

Result<int> cancel_campaign(const std::string& given, const CommonOptions& common) {
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, given);
  if (!id) return failure_of(id);
  const auto folder = workspace.campaign(*id);
  const std::string command = command_for("cancel " + *id, workspace.folder);
  if (auto owned = check_owner(folder, "run this as the owner (sudo -u USER): `" + command + "`"); !owned)
    return failure_of(owned);
  if (const Holder holder = campaign_holder(folder); holder.pid != 0) {
    // Its orchestrator reads the request within seconds, wherever it runs; here a signal wakes it.
    if (auto requested = request_end(folder, stop_note(cancel_command)); !requested)
      return failure_of(requested);
    if (holder.is_here) ::kill(holder.pid, SIGTERM);
    print_outcome(common, *id,
                  fmt::format("asked process {} on {} to stop its jobs; finished results are stored",
                              holder.pid, holder.host));
    return 0;
  }
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  const auto ended = end_jobs(folder, *campaign, installed_layout(), stop_note(cancel_command));
  if (!ended) return failure_of(ended);
  if (*ended == 0) remove_secrets(folder);  // `resume` provides them again
  print_outcome(common, *id,
                *ended == 0 ? "nothing runs"
                            : fmt::format("stopping {} running job{}; resume with `{}`", *ended,
                                          *ended == 1 ? "" : "s", command_for("resume", workspace.folder)));
  return 0;
}

}  // namespace

extern const Command cancel;
const Command cancel = {
    .id = "cancel",
    .about = "stop a campaign; finished results stay stored",
    .rank = 70,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto campaign = std::make_shared<std::string>();
      app.add_option("campaign", *campaign, "id or its beginning (default: the newest)")
          ->type_name("CAMPAIGN");
      app.footer("Example: shakedown cancel\n`shakedown resume` runs what was cancelled.");
      return [campaign, &common] { return cancel_campaign(*campaign, common); };
    },
};

}  // namespace shakedown::command
