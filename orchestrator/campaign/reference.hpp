#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// The campaign that a system is held against, with who declared it and why.
struct Reference {
  AcceptedCampaign acceptance;
  CampaignRecord campaign;
};

/// The reference of a system: the campaign that was accepted last. None where none ever was. Fails where it
/// is no longer in the store: an older one in its place would be another reference than the one declared.
Result<std::optional<Reference>> last_accepted(const Workspace& workspace, const Database& database,
                                               std::string_view system);

/// That somebody accepts a campaign.
struct AcceptanceRequest {
  std::string campaign;  ///< its whole id
  std::string by;        ///< who
  std::string why;
};

/// Makes a campaign the reference of its system: appended to `accepted.jsonl`, then stored. Fails where it
/// still runs or is not finished, where the newest of its criteria do not say that it is accepted (or its
/// screening passed, or its logs meet them), and where who or why is not said. What fails leaves all as it
/// was.
Result<AcceptedCampaign> accept_campaign(const Workspace& workspace, const AcceptanceRequest& request,
                                         const Layout& layout);

}  // namespace shakedown
