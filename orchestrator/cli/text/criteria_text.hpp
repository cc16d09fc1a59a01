#pragma once
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "reports/judge/criteria_check.hpp"

namespace shakedown {

/// `criteria check`: each criterion's risk for both parties, then what contradicts and what can't be decided.
/// `edits`: the lines of the file that are still to be edited (`lines_to_edit`).
std::string check_text(const CriteriaCheck& check, const CheckScene& scene, std::span<const int> edits);
nlohmann::ordered_json check_json(const CriteriaCheck& check, const CheckScene& scene,
                                  std::span<const int> edits);

/// "29 lines are still to be edited; 7 mandatory limits are the plan's own predictions, which no contract
/// states": what makes a configuration a draft; empty: nothing.
std::string draft_text(std::size_t edits, std::size_t predicted);

}  // namespace shakedown
