#pragma once
#include <string>
#include <vector>

#include "reports/comparability.hpp"
#include "reports/criteria.hpp"
#include "reports/judgement.hpp"

namespace shakedown {

/// Judges one clause on every case of its suite; one result that says not-run where there is none.
/// `idle_objections`: why the machine was not idle; a performance clause is undecided by those of the case,
/// and of the screens that its efficiency refers to.
std::vector<CriterionResult> judged_clause(const Criterion& clause, const CampaignRecord& campaign,
                                           const Comparability& comparability,
                                           const std::vector<IdleObjection>& idle_objections);

}  // namespace shakedown
