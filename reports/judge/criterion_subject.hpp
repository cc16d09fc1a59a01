#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/judge/criteria.hpp"
#include "reports/judge/judgement.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// What criteria are judged on.
struct CriterionScene {
  const MeasuredCampaign& campaign;
  const Comparability& comparability;
  const std::vector<Disturbance>& disturbances;
};

/// What a criterion is judged on as one: a case, or the repetitions of a case on its node. Not empty.
using SubjectCases = std::span<const MeasuredCase* const>;

/// A criterion's own words, not judged yet.
CriterionResult unjudged(const Criterion& criterion);

/// Judges a criterion by its limit alone: not run, invalid and unknown results first, then the median of all
/// results.
CriterionResult judged_subject(const Criterion& criterion, SubjectCases subject, const CriterionScene& scene);

/// Makes a verdict undecided that was measured on fewer nodes than the criterion asks for. `nodes`: 0: not
/// known.
void require_nodes(CriterionResult& judged, const Criterion& criterion, int nodes);
/// Fails a criterion where the campaign excluded more nodes than it allows.
void require_few_exclusions(CriterionResult& judged, const Criterion& criterion,
                            const CampaignRecord& campaign);
/// Fails a criterion where a case needed more attempts than it allows; those of the cases whose place it took
/// are its own.
void require_few_attempts(CriterionResult& judged, const Criterion& criterion, SubjectCases subject);

}  // namespace shakedown
