#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/database.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// A verdict as the workspace's list notes it, with what the journal ended with then.
struct ListedVerdict {
  std::string words;      ///< the sentence up to its first colon: "not accepted"
  int exit_code = 3;      ///< 0: it met its criteria
  std::string last_root;  ///< SHA-256 of the journal's last line
};

/// A campaign as `campaigns.jsonl` has it.
struct ListedCampaign {
  std::string id;
  std::string system;
  std::string kind;
  double began_s = 0;                   ///< by the clock of then, seconds since 1970
  std::string criteria_sha256;          ///< of the criteria that it began with
  std::vector<ListedVerdict> verdicts;  ///< in their order; empty: none was noted
  std::string nodes;                    ///< that it was planned for, as a hostlist; empty: not noted
};

/// The list of a workspace: one line at each campaign's begin and for each new verdict, each naming the
/// SHA-256 of the line before. A campaign stays in it when its folder is removed.
struct CampaignList {
  bool there = false;                     ///< the workspace has one
  std::vector<ListedCampaign> campaigns;  ///< in the order in which they began
  std::vector<std::string> roots;         ///< SHA-256 of each line, also as it was in another workspace
  std::vector<std::string> faults;        ///< where it is not what was appended, a sentence each

  [[nodiscard]] const ListedCampaign* find(std::string_view id) const;
};

/// Reads it; one that is not there is empty. Fails (environment) if it can't be read.
Result<CampaignList> read_campaign_list(const Workspace& workspace);

/// The part of a commitment that binds a campaign to the list as it was before; nothing: there was none.
inline constexpr std::string_view list_part = "campaigns.jsonl before";
std::string list_root(const Workspace& workspace);

/// Lists a campaign that begins, unless it is listed. Survives a power loss.
Result<void> list_campaign(const Workspace& workspace, const CampaignRecord& campaign);

/// Notes the verdict of a listed campaign, unless it is the one noted last. Survives a power loss.
Result<void> list_verdict(const Workspace& workspace, const std::string& id, const ListedVerdict& verdict);

/// Takes over the campaigns of a system that another workspace lists and ours does not.
Result<void> import_campaign_list(const Workspace& ours, const Workspace& theirs, std::string_view system);

/// Removed campaigns by their id, as `removed.jsonl` has them, with their verdict or state then.
Result<std::vector<std::pair<std::string, std::string>>> removed_campaigns(const Workspace& workspace);

/// Listed campaigns whose folder is gone, and `shakedown remove` did not note that.
Result<std::vector<ListedCampaign>> gone_campaigns(const Workspace& workspace);

/// The acceptance campaigns of the same system that began before one, oldest first, by the workspace's list;
/// of those that it does not have, by the store and the time in it. Also those that were removed.
struct CampaignHistory {
  std::vector<EarlierCampaign> earlier;
  std::vector<std::string> faults;  ///< why some may be missing, a sentence each
};
Result<CampaignHistory> campaign_history(const Workspace& workspace, const CampaignRecord& campaign,
                                         const std::vector<EarlierCampaign>& stored);

/// The hostlists that the store has of a campaign.
using StoredHosts = std::function<Result<std::vector<std::string>>(const std::string& id)>;

/// The acceptance campaigns on the same nodes before one as another system, by the workspace's list, then by
/// the store, `stored`. Also those of which nothing tells the nodes (EarlierCampaign::nodes_unknown): gone,
/// and listed by a version that noted none. The store is asked only for what the list does not tell.
Result<std::vector<EarlierCampaign>> other_systems_before(const Workspace& workspace,
                                                          const CampaignRecord& campaign,
                                                          std::span<const CampaignSummary> stored,
                                                          const StoredHosts& hosts_of);

/// Where what was stated of the campaigns before one is better than what the list in `workspace` has of them,
/// a sentence each: campaigns that it lacks, other verdicts, faults of the list that it does not state. None
/// for what is no acceptance.
Result<std::vector<std::string>> history_differences(const Workspace& workspace,
                                                     const CampaignRecord& campaign,
                                                     const CampaignHistory& stated);

}  // namespace shakedown
