#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/workspace.hpp"

namespace shakedown {

/// Gives a campaign other criteria to be judged by: a file of its own in the campaign's folder, a line in the
/// journal, a row in the store. Nothing is overwritten. Returns the revision; nothing where `criteria` say
/// what the newest ones say already. `criteria.number` and `at_s` are chosen here.
///
/// Fails while the campaign runs, and where its folder can't be written.
Result<std::optional<CriteriaRevision>> revised_criteria(const Workspace& workspace, const std::string& id,
                                                         CriteriaRevision criteria);

/// The revisions that the journal names, with their texts; one whose file is gone is left out.
std::vector<CriteriaRevision> criteria_revisions(const std::filesystem::path& campaign_folder,
                                                 const std::vector<JournaledCriteria>& journaled);

/// Where a revision's file is gone or no longer holds what the journal says, or the store has another text: a
/// sentence each.
std::vector<std::string> revision_breaches(const CampaignRecord& campaign,
                                           const std::filesystem::path& campaign_folder);

}  // namespace shakedown
