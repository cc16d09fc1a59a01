#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/judge/criteria.hpp"
#include "reports/judge/judgement.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/measure/stand_ins.hpp"

namespace shakedown {

/// What clauses are judged on.
struct ClauseScene {
  const CampaignRecord& campaign;
  const Comparability& comparability;
  const std::vector<IdleObjection>& idle_objections;
  const StandIns& stand_ins;
};

/// What a clause is judged on as one: a case, or the repetitions of a case on its node. Not empty.
using SubjectCases = std::span<const CaseRecord* const>;

/// A clause's own words, not judged yet.
CriterionResult unjudged(const Criterion& clause);

/// Judges a clause by its limit alone: not run, invalid and unknown results first, then the median of all
/// results.
CriterionResult judged_subject(const Criterion& clause, SubjectCases subject, const ClauseScene& scene);

/// Makes a verdict undecided that was measured on fewer nodes than the clause asks for. `nodes`: 0: not
/// known.
void demand_nodes(CriterionResult& judged, const Criterion& clause, int nodes);
/// Fails a clause where the campaign excluded more nodes than it allows.
void demand_few_exclusions(CriterionResult& judged, const Criterion& clause, const CampaignRecord& campaign);
/// Fails a clause where a case needed more attempts than it allows; those of the cases whose place it took
/// are its own.
void demand_few_attempts(CriterionResult& judged, const Criterion& clause, SubjectCases subject,
                         const ClauseScene& scene);

}  // namespace shakedown
