#pragma once
#include "reports/judge/clause.hpp"

namespace shakedown {

/// Judges a clause on the share of attempts that succeeded, or on the lower limit of it by Wilson's
/// interval.
CriterionResult judged_reliability(const Criterion& clause, const ClauseScene& scene);

}  // namespace shakedown
