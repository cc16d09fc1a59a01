#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// What a system is held against, with who declared it and why.
struct Reference {
  std::vector<AcceptedCampaign> acceptances;  ///< the whole one, then the parts beside it, oldest first
  CampaignRecord campaign;                    ///< that was accepted as a whole
  CampaignRecord newest;                      ///< the last part; the same where there is none
};

/// The reference of a system: the campaign that was accepted last as a whole, and the parts since. None where
/// none ever was. Fails where one is no longer in the store: an older one in its place would be another
/// reference than the one declared.
Result<std::optional<Reference>> last_accepted(const Workspace& workspace, const Database& database,
                                               std::string_view system);

/// What was declared of the nodes of a campaign's system since it ended.
std::vector<NodeEvent> events_since(const std::vector<NodeEvent>& all, const CampaignRecord& campaign);

/// That somebody accepts a campaign.
struct AcceptanceRequest {
  std::string campaign;  ///< its whole id
  std::string by;        ///< who
  std::string why;
  bool part = false;  ///< beside what holds: it measured again what changed since
};

/// An acceptance as it was declared.
struct DeclaredAcceptance {
  AcceptedCampaign acceptance;
  std::vector<std::string> expired;  ///< of the waivers that its verdict rests on, as sentences
  /// What it makes the reference where it is a screening, or logs that were imported; empty: an acceptance.
  std::string remark{};  // NOLINT(readability-redundant-member-init)
  /// Earlier campaigns whose folders are gone, a sentence each.
  std::vector<std::string> gone{};  // NOLINT(readability-redundant-member-init)
};

/// Makes a campaign the reference of its system: appended to `accepted.jsonl`, then stored. Fails if it still
/// runs or is not finished, if the newest of its criteria do not accept it (or its screening did not pass, or
/// its logs do not meet them), if who or why is not stated, and if a part omits a node that changed, or has
/// no reference beside which it counts; (environment) if store and run directories differ or these are not
/// here. A failure changes nothing. A waiver counts as it was when the campaign ended, or was given its
/// criteria; one that has expired since is reported.
Result<DeclaredAcceptance> accept_campaign(const Workspace& workspace, const AcceptanceRequest& request,
                                           const Layout& layout);

/// What a whole acceptance of a campaign gives up of the reference that holds: "hpcg on 100 nodes", which it
/// has not measured. Empty: nothing, or nothing holds.
Result<std::vector<std::string>> given_up(const Workspace& workspace, const std::string& campaign);

}  // namespace shakedown
