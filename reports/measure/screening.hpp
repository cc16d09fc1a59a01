#pragma once
#include <string>
#include <string_view>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// The note beside a rule that a screening breaks by being short.
inline constexpr std::string_view short_of_rules =
    "short of the official rules on run length or number of runs";

/// "correct; too short to be an official IO500 result": what a result is called, wherever it stands, that is
/// invalid by such rules alone.
[[nodiscard]] std::string correct_but_short(std::string_view suite);

/// Whether a campaign measures to see, not to be listed: its runs are as short as the time asked for.
[[nodiscard]] bool is_screening(const CampaignRecord& campaign);

/// Whether a rule that is not held asks for a longer run, or for more runs, than this campaign was to make:
/// it is shown as failed, and does not affect the verdict.
[[nodiscard]] bool short_by_design(const CampaignRecord& campaign, const ResultRecord& result,
                                   const RuleResult& rule);

/// The same of a rule of a set of results.
[[nodiscard]] bool short_by_design(const CampaignRecord& campaign, const SetScore& set,
                                   const RuleResult& rule);

/// Whether a complete result is invalid by such rules alone.
[[nodiscard]] bool valid_but_for_length(const CampaignRecord& campaign, const ResultRecord& result);

}  // namespace shakedown
