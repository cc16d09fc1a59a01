#pragma once
#include <string>
#include <vector>

#include "reports/judge/criteria.hpp"
#include "reports/judge/criterion_subject.hpp"
#include "reports/judge/judgement.hpp"
#include "reports/measure/comparability.hpp"

namespace shakedown {

/// The cases that a criterion is judged on.
struct JudgedCases {
  std::vector<std::vector<const MeasuredCase*>> together;  ///< each case with its repetitions; of logs
                                                           ///< made elsewhere those of one shape
  std::vector<std::vector<const MeasuredCase*>> bound;     ///< those that measure one node each, by kind

  [[nodiscard]] std::size_t size() const { return together.size() + bound.size(); }
};

/// Those of its suite that it applies to, by benchmark, nodes, and whether they measure one node each. A case
/// whose place another took is judged only by that.
JudgedCases cases_of(const Criterion& criterion, const CriterionScene& scene);

/// Whether a criterion applies to a case's benchmark and to the number of nodes that it was planned on.
bool applies_to(const Criterion& criterion, const MeasuredCase& record);

/// "GPT3 on 96 nodes together": the cases that a criterion applies to, in words.
std::string scope_text(const Criterion& criterion);

/// Judges one criterion: on each case of its suite, and in one row on those that measure one node each; one
/// not-run result if there is none. A case whose place another took is judged only by that. `disturbances`:
/// what disturbed the runs; a performance criterion is undecided by those of the case, and of the screens
/// that its efficiency refers to.
std::vector<CriterionResult> judged_criterion(const Criterion& criterion, const MeasuredCampaign& campaign,
                                              const Comparability& comparability,
                                              const std::vector<Disturbance>& disturbances);

/// Judges a criterion on the share of attempts that succeeded, or on the exact lower limit of it.
CriterionResult judged_reliability(const Criterion& criterion, const CriterionScene& scene);

}  // namespace shakedown
