#pragma once
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/html/template.hpp"

namespace shakedown {

/// The phases that make up the score of a case's last result (IO500), a row each, with what the log holds
/// against them; empty where the benchmark has none.
std::vector<Fields> phase_rows(const CaseRecord& record);

}  // namespace shakedown
