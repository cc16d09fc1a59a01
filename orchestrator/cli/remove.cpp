#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/append_line.hpp"
#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/stop_note.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown::command {
namespace {

constexpr const char* removed_file = "removed.jsonl";

struct RemoveOptions {
  std::string campaign;
  bool yes = false;
};

/// Fails where a campaign is not dead: somebody runs it, a job of it runs, or it is a reference.
Result<void> check_dead(const Workspace& workspace, const std::string& id) {
  const auto folder = workspace.campaign(id);
  const std::string cancel = command_for("cancel " + id, workspace.folder);
  if (const Holder holder = campaign_holder(folder); holder.pid != 0)
    return fail(id, fmt::format("process {} on {} runs it", holder.pid, holder.host),
                fmt::format("`{}` stops it", cancel));
  if (const auto campaign = read_campaign_folder(folder))
    for (const CaseStatus& each : case_statuses(folder, *campaign, installed_layout()))
      if (each.state == "running" || each.state == "queued")
        return fail(id, fmt::format("its case {} is {}", each.id, each.state),
                    fmt::format("`{}` ends it", cancel));
  const auto accepted = read_acceptances(workspace);
  if (!accepted) return failure_of(accepted);
  if (std::ranges::find(*accepted, id, &AcceptedCampaign::campaign) != accepted->end())
    return fail(id, "was accepted: what came after it refers to it",
                "it stays; `shakedown accept --list` lists what was accepted");
  return {};
}

/// Its stored verdict, state or that it is not in the store.
std::string known_of(const Workspace& workspace, const std::string& id) {
  const auto database = Database::open_existing(workspace.database());
  if (!database) return "not in the store";
  const auto campaigns = database->campaigns();
  if (!campaigns) return "not in the store";
  const auto it = std::ranges::find(*campaigns, id, &CampaignSummary::id);
  if (it == campaigns->end()) return "not in the store";
  return it->sentence.empty() ? it->state + ", no verdict" : it->sentence;
}

/// Asks on the terminal. Fails where there is none to ask.
Result<bool> confirmed(const std::string& id, const std::string& known, const fs::path& folder) {
  if (::isatty(STDIN_FILENO) != 1)
    return fail(id, "there is no terminal to ask whether it may be removed", "--yes answers");
  std::cerr << shown(fmt::format("{} ({})\nremove it from the store, and {} with all its logs? [y/N] ", id,
                                 known, folder.string()))
            << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return lower(trimmed(answer)) == "y" || lower(trimmed(answer)) == "yes";
}

/// Takes the folder out of sight, then the rows out of the store, then the folder away: what is cut short
/// leaves either all or nothing that `campaigns` shows.
Result<void> take_away(const Workspace& workspace, const std::string& id, const std::string& known) {
  const auto folder = workspace.campaign(id);
  const fs::path aside = workspace.campaigns() / (".removed-" + id);
  {
    const auto lock = CampaignLock::take(folder);
    if (!lock) return failure_of(lock);
    const nlohmann::ordered_json line = {{"campaign", id},
                                         {"verdict", known},
                                         {"at", utc_text(now_s())},
                                         {"by", stop_note("shakedown remove").by}};
    if (auto noted = append_chained_line(workspace.folder / removed_file, line.dump()); !noted) return noted;
    std::error_code code;
    fs::rename(folder, aside, code);
    if (code) return fail_environment(folder.string(), fmt::format("cannot be moved: {}", code.message()));
  }
  std::error_code code;
  if (fs::exists(workspace.database(), code)) {
    auto database = Database::open(workspace.database());
    auto removed = database ? database->remove_campaign(id) : Result<void>(failure_of(database));
    if (!removed) {
      fs::rename(aside, folder, code);
      return removed;
    }
  }
  fs::remove_all(aside, code);
  if (code) return fail_environment(aside.string(), fmt::format("cannot be removed: {}", code.message()));
  return {};
}

Result<int> remove_one(const RemoveOptions& options, const CommonOptions& common) {
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, options.campaign);
  if (!id) return failure_of(id);
  const auto folder = workspace.campaign(*id);
  if (auto owned = check_owner(folder, "remove it as the owner"); !owned) return failure_of(owned);
  if (auto dead = check_dead(workspace, *id); !dead) return failure_of(dead);
  const std::string known = known_of(workspace, *id);
  if (!options.yes) {
    const auto answer = confirmed(*id, known, folder);
    if (!answer) return failure_of(answer);
    if (!*answer) {
      std::cerr << "nothing was removed\n";
      return 0;
    }
  }
  if (auto gone = take_away(workspace, *id, known); !gone) return failure_of(gone);
  if (common.json)
    std::cout << nlohmann::ordered_json{{"schema", "shakedown.remove/1"}, {"removed", *id}}.dump() << "\n";
  else
    std::cout << shown(fmt::format("removed {} ({}); {} notes it\n", *id, known,
                                   (workspace.folder / removed_file).string()));
  return 0;
}

}  // namespace

extern const Command remove;
const Command remove = {
    .id = "remove",
    .about = "take a campaign that nobody runs away, with its logs; asks first",
    .rank = 72,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<RemoveOptions>();
      app.add_option("campaign", options->campaign, "id or its beginning")->type_name("CAMPAIGN")->required();
      app.add_flag("-y,--yes", options->yes, "don't ask");
      app.footer(
          "Example: shakedown remove 2026-11-26T19-16-14Z-vm\n"
          "A campaign that runs, or that was accepted, stays. The removal is noted in the workspace.");
      return [options, &common] { return remove_one(*options, common); };
    },
};

}  // namespace shakedown::command
