#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/judge/judgement.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// The end of the notice on results of the programs that travel with shakedown.
inline constexpr std::string_view not_to_be_quoted = "Do not quote as such";

/// The notice of a judgement: "HPCG and IO500 were measured with ..."; empty: it has none.
std::string reference_notice(const Judgement& judgement);
std::string reference_notice(const MeasuredCampaign& campaign);

/// The message of the check of a commitment if the published values that ship with shakedown are others than
/// when a campaign began. It is shown beside the verdict and changes none: limits were frozen as numbers.
std::string other_published_values(std::string_view baseline);

/// Which of a campaign's rows could not be compared with its run directories, as a sentence; empty: all were,
/// or nobody looked.
std::string not_compared(const CampaignRecord& campaign);

/// Whether a case has a result that counts, by a later attempt than those that failed.
bool was_retried(const MeasuredCase& record);

/// What excluded a node in a few words, without its case and a batch system's words: what a line of the log
/// says, "HPL skipped this test: ...", else "rank 0 ended with exit code 1". The exceptions have the whole
/// reason.
std::string brief_cause(const Exclusion& exclusion, const CampaignRecord& campaign);

/// What a reader of the verdict must know beside it, one sentence each: a campaign that is not complete,
/// cases that ran on fewer nodes than planned, what was not compared with its run directories, excluded
/// nodes, attempts that did not finish or gave no result, cases that were not run, suites refused, and
/// results of the project's own kernels.
std::vector<std::string> deviations(const MeasuredCampaign& campaign);

}  // namespace shakedown
