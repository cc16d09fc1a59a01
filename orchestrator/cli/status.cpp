#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/progress.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/launch/run_directory.hpp"

namespace shakedown::command {
namespace {

/// A case as its run directory shows it now.
struct CaseStatus {
  std::string id;
  int attempt = 0;
  std::string state;  ///< waiting, running, finished, timed-out, interrupted, lost, not-started, imported
  double elapsed_s = 0;
};

CaseStatus status_of(const std::filesystem::path& folder, const Case& planned) {
  CaseStatus status{planned.id, last_attempt(folder / planned.id), "waiting", 0};
  if (status.attempt == 0) return status;
  if (!planned.origin.empty()) {
    status.state = to_string(AttemptState::imported);
    return status;
  }
  const auto attempt = AttemptPlace{folder, &planned, status.attempt}.folder();
  if (const auto finished = read_finished(attempt)) {
    status.state = to_string(ended_state({folder, &planned, status.attempt}, *finished));
    status.elapsed_s = finished->wall_s;
  } else if (const auto started = read_started(attempt); started && is_alive(*started)) {
    status.state = "running";
    status.elapsed_s = now_s() - started->started_s;
  } else {
    status.state = started ? "lost" : "waiting";
  }
  return status;
}

Result<int> show(const std::string& given, const CommonOptions& common) {
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, given);
  if (!id) return pass_on(id);
  const auto folder = workspace.campaign(*id);
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return pass_on(campaign);
  const Holder holder = campaign_holder(folder);
  std::vector<CaseStatus> cases;
  for (const CaseRecord& record : campaign->cases) cases.push_back(status_of(folder, record.planned));

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
    std::cout << shown(fmt::format("  {:<11}  {}{}{}\n", status.state, status.id,
                                   status.attempt > 1 ? fmt::format("  attempt {}", status.attempt) : "",
                                   status.elapsed_s > 0 ? "  " + duration_text(status.elapsed_s) : ""));
  if (const auto ids = campaign_ids(workspace); given.empty() && ids.size() > 1)
    std::cout << fmt::format("{} older campaign{} in {}\n", ids.size() - 1, ids.size() == 2 ? "" : "s",
                             workspace.campaigns().string());
  return 0;
}

}  // namespace

extern const Command status;
const Command status = {
    .id = "status",
    .about = "how far a campaign is, from its run directories",
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
