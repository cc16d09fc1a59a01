#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/compare/baseline.hpp"

namespace shakedown {

/// `baseline show`: experiment by experiment its conditions, then its figures as printed.
std::string baseline_text(const Baseline& baseline);
nlohmann::ordered_json baseline_json(const Baseline& baseline);

/// `baseline check`: experiment by experiment which identities hold, and last how many.
std::string identities_text(const Baseline& baseline, const std::vector<IdentityCheck>& checks);
nlohmann::ordered_json identity_json(const Baseline& baseline, const IdentityCheck& check);

}  // namespace shakedown
