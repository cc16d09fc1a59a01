#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/judge/criteria.hpp"
#include "reports/judge/criterion_subject.hpp"

namespace shakedown {

/// The values that a criterion is compared with, in the order contract, published, last-accepted; those that
/// there are. A ratio is given only if the conditions of comparability.toml hold.
std::vector<ReferenceResult> references(const Criterion& criterion, SubjectCases subject,
                                        const CriterionScene& scene, std::optional<double> measured);

/// A limit that is a part of a reference holds only for what may be compared with it: else the criterion is
/// not-comparable, whatever was measured. So is one whose reference is not stated.
void apply_reference(CriterionResult& judged);

/// What `accepted` measured by a criterion, with the conditions of the case it comes from: the reference that
/// a later campaign of the system is frozen with. The reason if it has no value; fails if several of its
/// cases are judged by the criterion.
Result<AcceptedValue> accepted_value(const MeasuredCampaign& accepted, const Criterion& criterion,
                                     const Comparability& comparability);

/// The references that a campaign of the same system is frozen with: `accepted_value` of each criterion.
/// `declared`: who accepted it and when, as printed behind each source.
LastAccepted references_to(std::shared_ptr<const MeasuredCampaign> accepted, std::string declared,
                           Comparability comparability);

}  // namespace shakedown
