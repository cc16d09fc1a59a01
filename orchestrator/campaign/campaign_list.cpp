#include "orchestrator/campaign/campaign_list.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/campaign/append_line.hpp"
#include "orchestrator/campaign/chained_lines.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;

constexpr double list_clock_step_s = 60;  // hosts that NTP keeps differ by less

fs::path list_file(const Workspace& workspace) {
  return workspace.folder / "campaigns.jsonl";
}

std::string list_line(const Json& line) {
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json begin_json(const ListedCampaign& campaign) {
  Json line = {{"t", utc_text(now_s())},
               {"event", "begun"},
               {"campaign", campaign.id},
               {"system", campaign.system},
               {"kind", campaign.kind},
               {"began_s", campaign.began_s},
               {"criteria", campaign.criteria_sha256}};
  if (!campaign.nodes.empty()) line["nodes"] = campaign.nodes;
  return line;
}

Json verdict_json(const std::string& id, const ListedVerdict& verdict) {
  return {{"t", utc_text(now_s())},
          {"event", "verdict"},
          {"campaign", id},
          {"verdict", verdict.words},
          {"exit_code", verdict.exit_code},
          {"last_root", verdict.last_root}};
}

void take_listed(CampaignList& list, const Json& line) {
  const std::string id = line.at("campaign");
  const auto known = std::ranges::find(list.campaigns, id, &ListedCampaign::id);
  if (line.at("event") == "begun") {
    if (known == list.campaigns.end())
      list.campaigns.push_back({id,
                                line.at("system"),
                                line.at("kind"),
                                line.at("began_s"),
                                line.at("criteria"),
                                {},
                                line.value("nodes", "")});
  } else if (known != list.campaigns.end()) {
    known->verdicts.push_back({line.at("verdict"), line.at("exit_code"), line.at("last_root")});
  }
  if (line.contains("was")) list.roots.push_back(line.at("was"));
}

}  // namespace

const ListedCampaign* CampaignList::find(std::string_view id) const {
  const auto it = std::ranges::find(campaigns, id, &ListedCampaign::id);
  return it == campaigns.end() ? nullptr : &*it;
}

Result<CampaignList> read_campaign_list(const Workspace& workspace) {
  CampaignList list;
  std::error_code code;
  list.there = fs::exists(list_file(workspace), code);
  if (!list.there) return list;
  const auto text = file_content(list_file(workspace));
  if (!text) return failure_of(text);
  for (const ChainFault& fault : chain_faults(*text))
    list.faults.push_back(fmt::format("line {} of campaigns.jsonl {}", fault.line, fault.what));
  for (const ChainLink& link : chain_links(*text)) {
    list.roots.push_back(sha256(link.bytes));
    if (link.number == 0) continue;
    try {
      take_listed(list, json_or_thrown<Json>(link.text));
    } catch (const nlohmann::json::exception&) {
      list.faults.push_back(fmt::format("line {} of campaigns.jsonl is not one of shakedown's", link.number));
    }
  }
  return list;
}

std::string list_root(const Workspace& workspace) {
  std::error_code code;
  if (!fs::exists(list_file(workspace), code)) return "";
  const auto text = file_content(list_file(workspace));
  return text ? chain_end(*text).sha256 : "";
}

Result<void> list_campaign(const Workspace& workspace, const CampaignRecord& campaign) {
  const auto list = read_campaign_list(workspace);
  if (!list) return failure_of(list);
  if (list->find(campaign.id) != nullptr) return {};
  return append_chained_line(list_file(workspace),
                             list_line(begin_json({campaign.id,
                                                   campaign.system,
                                                   campaign.kind,
                                                   campaign.created_s,
                                                   sha256(campaign.criteria_text),
                                                   {},
                                                   folded_hostlist(planned_nodes(campaign))})));
}

Result<void> list_verdict(const Workspace& workspace, const std::string& id, const ListedVerdict& verdict) {
  const auto list = read_campaign_list(workspace);
  if (!list) return failure_of(list);
  const ListedCampaign* known = list->find(id);
  if (known == nullptr) return {};
  if (!known->verdicts.empty()) {
    const ListedVerdict& last = known->verdicts.back();
    if (last.words == verdict.words && last.last_root == verdict.last_root) return {};
  }
  return append_chained_line(list_file(workspace), list_line(verdict_json(id, verdict)));
}

Result<void> import_campaign_list(const Workspace& ours, const Workspace& theirs, std::string_view system) {
  const auto here = read_campaign_list(ours);
  if (!here) return failure_of(here);
  std::error_code code;
  if (!fs::exists(list_file(theirs), code)) return {};
  const auto text = file_content(list_file(theirs));
  if (!text) return failure_of(text);
  std::vector<std::string> wanted;  // ids
  for (const ChainLink& link : chain_links(*text)) {
    auto line = json_or_discarded<Json>(link.text);
    if (!line.is_object() || !line.contains("campaign") || !line["campaign"].is_string()) continue;
    const std::string id = line["campaign"];
    const bool of_system = line.contains("system") && line["system"] == system;
    if (of_system && here->find(id) == nullptr) wanted.push_back(id);
    if (std::ranges::find(wanted, id) == wanted.end()) continue;
    line.erase("prev");
    if (!line.contains("was")) line["was"] = sha256(link.bytes);
    if (auto added = append_chained_line(list_file(ours), list_line(line)); !added) return added;
  }
  return {};
}

Result<std::vector<std::pair<std::string, std::string>>> removed_campaigns(const Workspace& workspace) {
  std::vector<std::pair<std::string, std::string>> removed;
  const fs::path file = workspace.folder / "removed.jsonl";
  std::error_code code;
  if (!fs::exists(file, code)) return removed;
  const auto text = file_content(file);
  if (!text) return failure_of(text);
  for (const ChainLink& link : chain_links(*text)) {
    const auto line = json_or_discarded<Json>(link.text);
    const auto member = [&](const char* name) {
      return line.is_object() && line.contains(name) && line[name].is_string() ? line[name].get<std::string>()
                                                                               : std::string();
    };
    if (std::string id = member("campaign"); !id.empty())
      removed.emplace_back(std::move(id), member("verdict"));
  }
  return removed;
}

namespace {

/// Where the list can't be whole, by what a campaign's commitment binds.
void add_list_faults(CampaignHistory& history, const CampaignList& list, const CampaignRecord& campaign) {
  std::ranges::copy(list.faults, std::back_inserter(history.faults));
  if (!list.there) {
    history.faults.emplace_back("campaigns before it are not known: campaigns.jsonl is not in the workspace");
    return;
  }
  const ListedCampaign* self = list.find(campaign.id);
  if (self == nullptr)
    history.faults.emplace_back("campaigns before it may be missing: campaigns.jsonl does not list it");
  if (campaign.commitment) {
    const auto part = std::ranges::find(campaign.commitment->parts, list_part, &CommittedPart::name);
    if (part != campaign.commitment->parts.end() &&
        std::ranges::find(list.roots, part->sha256) == list.roots.end())
      history.faults.emplace_back(
          "campaigns before it are missing: campaigns.jsonl lacks the line that the commitment names");
  }
  if (self == nullptr || is_external(campaign)) return;  // logs made elsewhere are dated there
  for (const ListedCampaign& each : list.campaigns) {
    if (&each == self) break;
    if (each.began_s > self->began_s + list_clock_step_s) {
      history.faults.push_back(
          fmt::format("the clock was set back by {}: {}, which began before it, is dated {}",
                      duration_text(each.began_s - self->began_s), each.id, utc_text(each.began_s)));
      break;
    }
  }
}

bool is_gone(const Workspace& workspace, const std::string& id) {
  std::error_code code;
  return !fs::exists(workspace.campaign(id) / "campaign.json", code);
}

std::string words_of(const std::string& sentence) {
  return sentence.substr(0, sentence.find(": "));
}

}  // namespace

Result<std::vector<ListedCampaign>> gone_campaigns(const Workspace& workspace) {
  auto list = read_campaign_list(workspace);
  if (!list) return failure_of(list);
  const auto removed = removed_campaigns(workspace);
  if (!removed) return failure_of(removed);
  std::erase_if(list->campaigns, [&](const ListedCampaign& each) {
    return !is_gone(workspace, each.id) ||
           std::ranges::find(*removed, each.id, &std::pair<std::string, std::string>::first) !=
               removed->end();
  });
  return std::move(list->campaigns);
}

Result<CampaignHistory> campaign_history(const Workspace& workspace, const CampaignRecord& campaign,
                                         const std::vector<EarlierCampaign>& stored) {
  CampaignHistory history;
  const auto list = read_campaign_list(workspace);
  if (!list) return failure_of(list);
  const auto removed = removed_campaigns(workspace);
  if (!removed) return failure_of(removed);
  add_list_faults(history, *list, campaign);
  const std::string criteria = sha256(campaign.criteria_text);
  for (const EarlierCampaign& each : stored)  // of an older version, which listed none
    if (list->find(each.id) == nullptr) {
      history.earlier.push_back(each);
      history.earlier.back().removed = history.earlier.back().gone = is_gone(workspace, each.id);
    }
  for (const ListedCampaign& each : list->campaigns) {
    if (each.id == campaign.id) break;
    if (each.system != campaign.system || each.kind != campaign.kind) continue;
    EarlierCampaign earlier{each.id, each.verdicts.empty() ? "" : each.verdicts.back().words,
                            each.criteria_sha256 == criteria};
    const auto noted = std::ranges::find(*removed, each.id, &std::pair<std::string, std::string>::first);
    earlier.removed = is_gone(workspace, each.id);
    earlier.gone = earlier.removed && noted == removed->end();
    if (earlier.verdict.empty() && noted != removed->end()) earlier.verdict = words_of(noted->second);
    history.earlier.push_back(std::move(earlier));
  }
  return history;
}

namespace {

/// Whether two sorted lists of nodes have one in common.
bool share_any(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  return std::ranges::any_of(
      one, [&](const std::string& node) { return std::ranges::binary_search(other, node); });
}

std::vector<std::string> expanded(std::span<const std::string> hostlists) {
  std::vector<std::string> nodes;
  for (const std::string& each : hostlists)
    if (auto hosts = expanded_hostlist(each)) std::ranges::move(*hosts, std::back_inserter(nodes));
  return nodes;
}

}  // namespace

Result<std::vector<EarlierCampaign>> other_systems_before(const Workspace& workspace,
                                                          const CampaignRecord& campaign,
                                                          std::span<const CampaignSummary> stored,
                                                          const StoredHosts& hosts_of) {
  std::vector<EarlierCampaign> earlier;
  const auto list = read_campaign_list(workspace);
  if (!list) return failure_of(list);
  const auto removed = removed_campaigns(workspace);
  if (!removed) return failure_of(removed);
  const std::vector<std::string> ours = planned_nodes(campaign);
  const std::string criteria = sha256(campaign.criteria_text);
  const auto add = [&](EarlierCampaign found, std::string_view listed_nodes) -> Result<void> {
    std::vector<std::string> hosts = {std::string(listed_nodes)};
    if (listed_nodes.empty()) {
      auto asked = hosts_of(found.id);
      if (!asked) return failure_of(asked);
      hosts = *std::move(asked);
    }
    const std::vector<std::string> theirs = expanded(hosts);
    if (!theirs.empty() && !share_any(theirs, ours)) return {};
    const auto noted = std::ranges::find(*removed, found.id, &std::pair<std::string, std::string>::first);
    found.other_system = true;
    found.nodes_unknown = theirs.empty();
    found.removed = is_gone(workspace, found.id);
    found.gone = found.removed && noted == removed->end();
    if (found.verdict.empty() && noted != removed->end()) found.verdict = words_of(noted->second);
    earlier.push_back(std::move(found));
    return {};
  };
  for (const ListedCampaign& each : list->campaigns) {
    if (each.id == campaign.id) break;
    if (each.system == campaign.system || each.kind != campaign.kind) continue;
    if (auto added = add({each.id, each.verdicts.empty() ? "" : each.verdicts.back().words,
                          each.criteria_sha256 == criteria},
                         each.nodes);
        !added)
      return failure_of(added);
  }
  for (const CampaignSummary& each : stored) {  // of an older version, which listed none
    if (each.system == campaign.system || each.kind != campaign.kind || each.created_s > campaign.created_s ||
        list->find(each.id) != nullptr)
      continue;
    const auto text = file_content(workspace.campaign(each.id) / "criteria.toml");
    if (auto added =
            add({each.id, words_of(each.sentence), text && sha256(*text) == criteria}, /*listed_nodes=*/"");
        !added)
      return failure_of(added);
  }
  return earlier;
}

Result<std::vector<std::string>> history_differences(const Workspace& workspace,
                                                     const CampaignRecord& campaign,
                                                     const CampaignHistory& stated) {
  std::vector<std::string> found;
  if (campaign.kind != "acceptance") return found;
  auto history = campaign_history(workspace, campaign, {});
  if (!history) return failure_of(history);
  // Whose nodes the list does not tell, the workspace's store may have.
  auto others = other_systems_before(workspace, campaign, {},
                                     [](const std::string&) { return std::vector<std::string>(); });
  if (!others) return failure_of(others);
  std::erase_if(*others, [](const EarlierCampaign& each) { return each.nodes_unknown; });
  std::ranges::move(*others, std::back_inserter(history->earlier));
  for (const EarlierCampaign& each : history->earlier) {
    const auto same = std::ranges::find(stated.earlier, each.id, &EarlierCampaign::id);
    const std::string verdict = each.verdict.empty() ? "not judged" : each.verdict;
    if (same == stated.earlier.end())
      found.push_back(
          fmt::format("lacks {} ({}), which campaigns.jsonl has before this campaign", each.id, verdict));
    else if (!each.verdict.empty() && same->verdict != each.verdict)
      found.push_back(fmt::format("has the verdict '{}' of {}, and campaigns.jsonl '{}'", same->verdict,
                                  each.id, verdict));
    else if (same->same_criteria != each.same_criteria)
      found.push_back(fmt::format("has {} by {} criteria, and campaigns.jsonl by {}", each.id,
                                  same->same_criteria ? "these" : "other",
                                  each.same_criteria ? "these" : "other"));
  }
  for (const std::string& fault : history->faults)
    if (std::ranges::find(stated.faults, fault) == stated.faults.end())
      found.push_back("does not state: " + fault);
  return found;
}

}  // namespace shakedown
