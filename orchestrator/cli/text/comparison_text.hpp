#pragma once
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/compare/baseline.hpp"
#include "reports/compare/compared_campaigns.hpp"

namespace shakedown {

/// For people: for each metric a line of values and one of words; other differences below. Without `all`,
/// metrics that are not leading are shown only if they changed.
std::string comparison_text(const ComparedCampaigns& compared, bool all);

/// As `shakedown.comparison/1`.
std::string comparison_json(const ComparedCampaigns& compared);

/// 1: worse; 3: undecided, or nothing was compared; 0: the same or better. Of `overall_change`.
int comparison_exit_code(const std::vector<MetricComparison>& metrics);

/// `baseline show`: experiment by experiment its conditions, then its values as printed.
std::string baseline_text(const Baseline& baseline);
nlohmann::ordered_json baseline_json(const Baseline& baseline);

/// `baseline check`: experiment by experiment which identities hold, and last how many.
std::string identities_text(const Baseline& baseline, const std::vector<IdentityCheck>& checks);
nlohmann::ordered_json identity_json(const Baseline& baseline, const IdentityCheck& check);

}  // namespace shakedown
