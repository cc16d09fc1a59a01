#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/template.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// A rule's row, for the table of rules; `remark` is printed under its status.
Fields rule_row(const RuleResult& rule, std::string_view remark = {});

/// What rules that could not be checked mean for results: valid ones keep all rules but these (`of_list`: ids
/// of those that a list asks for, too).
std::string effect_of_unchecked(bool valid, std::size_t rules, const std::vector<std::string>& of_list);

/// The rules of a case's results: one table for all results with the same outcome, so that repetitions that
/// agree are shown once.
std::vector<Fields> rule_tables(const CampaignRecord& campaign, const MeasuredCase& record);

/// The phases that make up the score of a case's last result (IO500), a row each, with what the log holds
/// against them; empty where the benchmark has none.
std::vector<Fields> phase_rows(const MeasuredCase& record);

}  // namespace shakedown
