#pragma once
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/comparability.hpp"
#include "reports/judgement.hpp"

namespace shakedown {

/// Every case beside the baseline's values of its suite, by the rules of `comparability`: with a ratio where
/// all conditions are equal, else with the conditions that differ. Cases of suites that the baseline does not
/// hold give none.
std::vector<Comparison> comparisons(const CampaignRecord& campaign, const Baseline& baseline,
                                    const Comparability& comparability);

}  // namespace shakedown
