#pragma once
#include <span>
#include <string>

#include "reports/measure/suite_metrics.hpp"

namespace shakedown {

/// "  HPL Rmax: 54.00 GFLOP/s is outside its prediction 82.00 to 100.0 GFLOP/s
/// (hpl-reference-1n)\n": a line for each metric of a suite that lies outside of its prediction's range, of
/// several cases the one that is farthest off, with the number of the others. Predictions that are not useful
/// are none. "unverified" stands beside results of the campaign that nobody reviewed. Empty: all lie inside,
/// or nothing was predicted.
std::string missed_predictions_text(std::span<const SuiteResult> results, const CampaignRecord& campaign);

}  // namespace shakedown
