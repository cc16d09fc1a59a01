#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// The notice on results of the programs that travel with shakedown.
inline constexpr std::string_view reference_notice =
    "Measured with shakedown's own short programs, not with the official HPL, HPCG, IO500 or MLPerf. Do not "
    "quote as such";

/// The message of the check of a commitment if the published values that ship with shakedown are others than
/// when a campaign began. It is shown beside the verdict and changes none: limits were frozen as numbers.
std::string other_published_values(std::string_view baseline);

/// Which of a campaign's rows could not be compared with its run directories, as a sentence; empty: all were,
/// or nobody looked.
std::string not_compared(const CampaignRecord& campaign);

/// What a reader of the verdict must know beside it, one sentence each: a campaign that is not complete,
/// cases that ran on fewer nodes than planned, what was not compared with its run directories, excluded
/// nodes, attempts that did not finish or gave no result, cases that were not run, suites refused, and
/// results of the project's own kernels.
std::vector<std::string> deviations(const MeasuredCampaign& campaign);

}  // namespace shakedown
