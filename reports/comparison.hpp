#pragma once
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/comparability.hpp"
#include "reports/judgement.hpp"

namespace shakedown {

/// Every case beside the baseline's values of its suite, by the rules of `comparability`: with a ratio where
/// all conditions hold, else with those that don't. Where a metric has several rows, the one with the fewest
/// differences is taken. A value scaled by a model is listed only where its conditions hold, as information.
/// Cases of suites that the baseline does not hold give none.
std::vector<Comparison> comparisons(const CampaignRecord& campaign, const Baseline& baseline,
                                    const Comparability& comparability);

/// What a criterion relative to `baseline` may lean on: comparable, or not with the condition that fails.
/// Metrics that the table does not name, or only scaled by a model, are not comparable.
Comparison criterion_comparison(const CampaignRecord& campaign, const CaseRecord& record,
                                std::string_view metric, const Baseline& baseline,
                                const Comparability& comparability);

}  // namespace shakedown
