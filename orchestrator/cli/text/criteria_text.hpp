#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/judge/criteria_check.hpp"

namespace shakedown {

/// `criteria check`: each criterion's risk for both parties, then what contradicts and what can't be decided.
std::string check_text(const CriteriaCheck& check, const CheckScene& scene);
nlohmann::ordered_json check_json(const CriteriaCheck& check, const CheckScene& scene);

}  // namespace shakedown
