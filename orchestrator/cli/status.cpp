#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/progress.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown::command {
namespace {

Result<int> show(const std::string& given, const CommonOptions& common) {
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, given);
  if (!id) return pass_on(id);
  const auto folder = workspace.campaign(*id);
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return pass_on(campaign);
  const Holder holder = campaign_holder(folder);
  const std::vector<CaseStatus> cases = case_statuses(folder, *campaign, installed_layout());

  if (common.json) {
    nlohmann::ordered_json document;
    document["schema"] = "shakedown.status/1";
    document["campaign"] = *id;
    document["system"] = campaign->system;
    document["orchestrated"] = holder.pid != 0;
    if (holder.pid != 0) document["pid"] = holder.pid;
    if (holder.pid != 0) document["host"] = holder.host;
    document["cases"] = nlohmann::ordered_json::array();
    for (const CaseStatus& status : cases) {
      nlohmann::ordered_json entry;
      entry["id"] = status.id;
      entry["state"] = status.state;
      if (status.attempt > 0) entry["attempt"] = status.attempt;
      if (status.elapsed_s > 0) entry["elapsed_s"] = status.elapsed_s;
      if (!status.text.empty()) entry["text"] = status.text;
      if (!status.job.empty()) entry["job"] = status.job;
      if (!status.hosts.empty()) entry["hosts"] = status.hosts;
      document["cases"].push_back(entry);
    }
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return 0;
  }
  std::cout << *id << "  " << campaign->system << "  "
            << (holder.pid != 0 ? fmt::format("orchestrated by process {} on {}", holder.pid, holder.host)
                : is_external(*campaign) ? std::string("logs made elsewhere")
                                         : std::string("no orchestrator"))
            << "\n";
  for (const CaseStatus& status : cases)
    std::cout << shown(
        fmt::format("  {:<11}  {}{}{}{}{}\n", status.state, status.id,
                    status.attempt > 1 ? fmt::format("  attempt {}", status.attempt) : "",
                    status.elapsed_s > 0 ? "  " + duration_text(status.elapsed_s) : "",
                    status.job.empty() ? "" : fmt::format("  job {} on {}", status.job, status.hosts),
                    status.text.empty() ? "" : "  " + status.text));
  if (const auto ids = campaign_ids(workspace); given.empty() && ids.size() > 1)
    std::cout << fmt::format("{} older campaign{} in {}\n", ids.size() - 1, ids.size() == 2 ? "" : "s",
                             workspace.campaigns().string());
  return 0;
}

}  // namespace

extern const Command status;
const Command status = {
    .id = "status",
    .about = "how far a campaign is, case by case",
    .rank = 60,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto campaign = std::make_shared<std::string>();
      app.add_option("campaign", *campaign, "id or its beginning (default: the newest)")
          ->type_name("CAMPAIGN");
      app.footer("Example: shakedown status --json");
      return [campaign, &common] { return show(*campaign, common); };
    },
};

}  // namespace shakedown::command
