#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/html/template.hpp"
#include "reports/judge/judgement.hpp"
#include "reports/measure/suite_metrics.hpp"

namespace shakedown {

/// A cell without a value: it is drawn as a dash, and not at all where cells are stacked.
inline constexpr std::string_view empty_cell;

/// What was measured, a row for each metric: beside prediction and peak. Values of like nodes share a row.
std::vector<Fields> suite_rows(std::span<const SuiteResult> results, const MeasuredCampaign& campaign);

/// The suites that ran too short for a list by design: "HPCG, IO500"; empty: none.
std::string too_short(std::span<const SuiteResult> results);

/// A row of the criteria's table for each suite that the campaign was not to measure.
std::vector<Fields> left_out_rows(const std::vector<CriterionResult>& left_out);

}  // namespace shakedown
