#pragma once
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/html/template.hpp"

namespace shakedown {

/// A rule's row, for the table of rules.
Fields rule_row(const RuleResult& rule);

/// The rules of a case's results: one table for all results with the same outcome, so that repetitions that
/// agree are shown once.
std::vector<Fields> rule_tables(const CaseRecord& record);

}  // namespace shakedown
