#pragma once
#include <string>
#include <vector>

#include "reports/judge/criterion_subject.hpp"

namespace shakedown {

/// The cases that a criterion is judged on.
struct JudgedCases {
  std::vector<std::vector<const CaseRecord*>> together;  ///< each case with its repetitions; of logs
                                                         ///< made elsewhere those of one shape
  std::vector<std::vector<const CaseRecord*>> bound;     ///< those that measure one node each, by kind

  [[nodiscard]] std::size_t size() const { return together.size() + bound.size(); }
};

/// Those of its suite that it applies to, by benchmark, nodes, and whether they measure one node each. A case
/// whose place another took is judged only by that.
JudgedCases cases_of(const Criterion& criterion, const CriterionScene& scene);

/// Whether a criterion applies to a case's benchmark and to the number of nodes that it was planned on.
bool applies_to(const Criterion& criterion, const CaseRecord& record, const Replacements& replacements);

/// "GPT3 on 96 nodes together": the cases that a criterion applies to, in words.
std::string scope_text(const Criterion& criterion);

}  // namespace shakedown
