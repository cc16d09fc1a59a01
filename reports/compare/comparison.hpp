#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/measure/comparability.hpp"

namespace shakedown {

/// A measured value beside a baseline's.
struct Comparison {
  std::string case_id;
  std::string suite;
  std::string metric;
  std::string normalisation;  ///< "absolute", "per GPU", "efficiency vs GEMM", "efficiency vs Rpeak"
  std::optional<double> measured;
  std::optional<double> baseline;
  std::optional<double> ratio;  ///< only where comparable, or information
  std::string unit;
  bool comparable = false;
  bool information = false;  ///< scaled by a model: a ratio to look at, never a criterion
  std::string condition;     ///< the condition that fails, or that all hold
  std::string source;        ///< the baseline's table and row
  std::string baseline_id;   ///< the baseline's row; empty: none was set beside it
};

/// Every case beside the baseline's values of its suite, by the rules of `comparability`: with a ratio where
/// all conditions hold, else with those that don't. Where a metric has several rows, the one with the fewest
/// differences is taken. A value scaled by a model is listed only where its conditions hold, as information.
/// Cases of suites that the baseline does not hold give none.
std::vector<Comparison> comparisons(const CampaignRecord& campaign, const Baseline& baseline,
                                    const Comparability& comparability);

/// What a criterion relative to `baseline` may lean on: comparable, or not with the condition that fails.
/// Metrics that the table does not name, or only scaled by a model, are not comparable.
Comparison criterion_comparison(const CampaignRecord& campaign, const CaseRecord& record,
                                std::string_view metric, const Baseline& baseline,
                                const Comparability& comparability);

}  // namespace shakedown
