#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/campaign_list.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown::command {
namespace {

/// A campaign's row: what the store holds of it, and whether a process runs it.
struct CampaignRow {
  CampaignSummary stored;  ///< its system is empty where the store does not have it
  Holder holder;
  bool gone = false;  ///< the workspace's list has it, and its folder is not there
};

std::string state_of(const CampaignRow& each) {
  if (each.gone) return "gone";
  if (each.holder.pid != 0) return "running";
  if (each.stored.system.empty()) return "not in the store";
  return each.stored.state == "running" ? "stopped" : each.stored.state;
}

std::string result_of(const CampaignRow& each) {
  if (each.gone)
    return fmt::format("{}; its folder is gone, and no `shakedown remove` took it away",
                       each.stored.sentence.empty() ? "not judged" : each.stored.sentence);
  if (!each.stored.sentence.empty()) return each.stored.sentence;
  return each.stored.system.empty() ? "`shakedown import` its folder, or remove it" : "no verdict yet";
}

/// Names the verdict of campaigns.jsonl where the store has another one.
void compare_verdict(CampaignSummary& stored, const CampaignList& list) {
  const ListedCampaign* listed = list.find(stored.id);
  if (listed == nullptr || listed->verdicts.empty() || stored.sentence.empty()) return;
  const std::string& words = listed->verdicts.back().words;
  if (stored.sentence.substr(0, stored.sentence.find(": ")) == words) return;
  stored.sentence += fmt::format("; campaigns.jsonl has: {}. `shakedown report` judges again", words);
}

Result<std::vector<CampaignRow>> listed_campaigns(const Workspace& workspace) {
  const std::vector<std::string> ids = campaign_ids(workspace);
  std::map<std::string, CampaignSummary, std::less<>> stored;
  std::error_code code;
  if (std::filesystem::exists(workspace.database(), code)) {
    const auto database = Database::open_existing(workspace.database());
    if (!database) return failure_of(database);
    auto campaigns = database->campaigns();
    if (!campaigns) return failure_of(campaigns);
    for (CampaignSummary& each : *campaigns) stored.emplace(each.id, std::move(each));
  }
  std::vector<CampaignRow> list;
  for (const std::string& id : ids) {
    CampaignRow& each = list.emplace_back();
    if (const auto it = stored.find(id); it != stored.end())
      each.stored = it->second;
    else
      each.stored.id = id;
    each.holder = campaign_holder(workspace.campaign(id));
  }
  const auto noted = read_campaign_list(workspace);
  if (!noted) return failure_of(noted);
  for (CampaignRow& each : list) compare_verdict(each.stored, *noted);
  const auto gone = gone_campaigns(workspace);
  if (!gone) return failure_of(gone);
  for (const ListedCampaign& each : *gone) {
    if (std::ranges::find(ids, each.id) != ids.end()) continue;  // there, without its campaign.json
    CampaignRow& row = list.emplace_back();
    row.gone = true;
    row.stored.id = each.id;
    row.stored.system = each.system;
    row.stored.kind = each.kind;
    row.stored.created_s = each.began_s;
    row.stored.sentence = each.verdicts.empty() ? "" : each.verdicts.back().words;
  }
  return list;
}

std::string row_text(const CampaignRow& each, std::size_t id_width, std::size_t system_width) {
  const CampaignSummary& stored = each.stored;
  const std::string day = stored.created_s > 0 ? utc_text(stored.created_s).substr(0, 16) : "";
  const std::string cases =
      stored.system.empty() || each.gone ? "" : fmt::format("{}/{}", stored.finished_cases, stored.cases);
  return fmt::format("{:<{}}  {:<{}}  {:<16}  {:<11}  {:>7}  {}\n", stored.id, id_width, stored.system,
                     system_width, day, state_of(each), cases, one_line(result_of(each)));
}

nlohmann::ordered_json row_json(const CampaignRow& each) {
  const CampaignSummary& stored = each.stored;
  nlohmann::ordered_json row = {{"id", stored.id}, {"state", state_of(each)}};
  if (each.holder.pid != 0) row["pid"] = each.holder.pid;
  if (each.holder.pid != 0) row["host"] = each.holder.host;
  if (stored.system.empty()) return row;
  row["system"] = stored.system;
  row["kind"] = stored.kind;
  row["created"] = utc_text(stored.created_s);
  if (!each.gone) row["cases"] = stored.cases;
  if (!each.gone) row["cases_ended"] = stored.finished_cases;
  if (!stored.sentence.empty()) row["verdict"] = stored.sentence;
  return row;
}

Result<int> list_campaigns(const CommonOptions& common) {
  const Workspace workspace{common.workspace};
  if (auto any = chosen_campaign(workspace, ""); !any) return failure_of(any);
  const auto list = listed_campaigns(workspace);
  if (!list) return failure_of(list);
  if (common.json) {
    nlohmann::ordered_json document = {{"schema", "shakedown.campaigns/1"},
                                       {"campaigns", nlohmann::ordered_json::array()}};
    for (const CampaignRow& each : *list) document["campaigns"].push_back(row_json(each));
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return 0;
  }
  std::size_t id_width = 8;
  std::size_t system_width = 6;
  for (const CampaignRow& each : *list) {
    id_width = std::max(id_width, each.stored.id.size());
    system_width = std::max(system_width, each.stored.system.size());
  }
  std::string text = fmt::format("{:<{}}  {:<{}}  {:<16}  {:<11}  {:>7}  VERDICT\n", "CAMPAIGN", id_width,
                                 "SYSTEM", system_width, "CREATED (UTC)", "STATE", "CASES");
  for (const CampaignRow& each : *list) text += row_text(each, id_width, system_width);
  std::cout << shown(text);
  return 0;
}

}  // namespace

extern const Command campaigns;
const Command campaigns = {
    .id = "campaigns",
    .about = "all campaigns of the workspace with state, verdict and date",
    .rank = 65,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      app.footer(
          "Example: shakedown campaigns\n`shakedown status CAMPAIGN` shows one case by case, `shakedown "
          "remove "
          "CAMPAIGN` takes one away.");
      return [&common] { return list_campaigns(common); };
    },
};

}  // namespace shakedown::command
