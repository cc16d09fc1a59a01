#pragma once
#include <string>
#include <string_view>

#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// The score that the benchmark's rules give the runs of a case together, where the suite scores `metric` by
/// sets. Null: the runs are of no set, or their set has no score, or is invalid.
const SetScore* score_of_case(const CampaignRecord& campaign, const MeasuredCase& record,
                              std::string_view metric);

/// The set that a case's runs are of, with a score or without. Null: none.
const SetScore* set_of_case(const CampaignRecord& campaign, const MeasuredCase& record);

/// The end of a path's name that no other set of the campaign ends in: of "/logs/eos_n1/lora" "lora", or
/// "eos_n1/lora" beside "/logs/eos_n8/lora". A name that is no whole path as it is; without one, the
/// benchmark.
std::string short_set_name(const CampaignRecord& campaign, const SetScore& set);

/// Whether a rule that one run's log can't show was checked on the set of the case's runs.
bool checked_on_set(const CampaignRecord& campaign, const MeasuredCase& record, std::string_view rule);

/// What a score is: "unverified MLPerf score: mean of 8 of 10 runs; normalised 34.1 min". `planned`: a case
/// of the set.
std::string score_words(const Case& planned, const SetScore& set);

/// A set in a line: what its score is, or "unverified MLPerf runs, no score (ML-01: 3 of 10 runs)".
std::string set_words(const MeasuredCampaign& campaign, const SetScore& set);

/// Why a set has no score that counts: "ML-01: 3 of 10 runs". Empty: its rules don't show it.
std::string why_no_score(const SetScore& set);

/// What must stand beside a case's results, as nobody has reviewed them: "unverified". Empty: the suite asks
/// for nothing, or shakedown's own program measured, whose results are none of the suite.
std::string_view unreviewed_mark(const Case& planned);

/// That of the case of this id, or, where no case has it, of the suite's first; empty: the campaign has none.
std::string_view unreviewed_mark(const CampaignRecord& campaign, std::string_view suite,
                                 std::string_view case_id);

/// Whether a set has a score that counts.
[[nodiscard]] bool has_score(const SetScore& set);

/// A case that a run of the set is of. Null: none.
const MeasuredCase* case_of_set(const MeasuredCampaign& campaign, const SetScore& set);

}  // namespace shakedown
