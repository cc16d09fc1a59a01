#pragma once
#include <string>
#include <vector>

#include "reports/judge/criteria.hpp"
#include "reports/judge/criterion_subject.hpp"
#include "reports/judge/judgement.hpp"
#include "reports/measure/comparability.hpp"

namespace shakedown {

/// Judges one criterion: on each case of its suite, and in one row on those that measure one node each; one
/// not-run result if there is none. A case whose place another took is judged only by that. `disturbances`:
/// what disturbed the runs; a performance criterion is undecided by those of the case, and of the screens
/// that its efficiency refers to.
std::vector<CriterionResult> judged_criterion(const Criterion& criterion, const CampaignRecord& campaign,
                                              const Comparability& comparability,
                                              const std::vector<Disturbance>& disturbances);

/// Judges a criterion on the share of attempts that succeeded, or on the lower limit of it by Wilson's
/// interval.
CriterionResult judged_reliability(const Criterion& criterion, const CriterionScene& scene);

}  // namespace shakedown
