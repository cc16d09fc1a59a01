#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/baseline.hpp"
#include "reports/comparability.hpp"
#include "reports/judgement.hpp"

namespace shakedown {

/// A baseline's figures for a campaign that none of them may be compared with: to know what order of
/// magnitude and which bottleneck they stand for. Empty where something may be compared; then comparisons say
/// it. The efficiencies of a screening are no such thing: they carry across machines, and stand in its own
/// table.
std::optional<Orientation> orientation(const CampaignRecord& campaign, const Baseline& baseline,
                                       const Comparability& comparability,
                                       const std::vector<Comparison>& comparisons);

}  // namespace shakedown
