#pragma once
#include <span>
#include <vector>

#include "orchestrator/store/database.hpp"

namespace shakedown {

/// What the results of a campaign prove together, by the rules of the suites that score sets: of all
/// attempts, since a run that failed counts among those that were made.
std::vector<SetScore> set_scores(const CampaignRecord& campaign,
                                 std::span<const RuleBook* const> books = rule_books());

/// Scores a stored campaign's sets anew and stores that.
Result<void> store_set_scores(Database& database, const std::string& campaign);

}  // namespace shakedown
