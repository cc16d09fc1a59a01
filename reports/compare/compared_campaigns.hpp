#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/compare/campaign_comparison.hpp"
#include "reports/compare/environment_difference.hpp"

namespace shakedown {

/// Two campaigns beside each other: what the terminal, the JSON document and the page are written from.
struct ComparedCampaigns {
  std::string before;  ///< ids
  std::string after;
  std::vector<MetricComparison> metrics;
  std::vector<EnvironmentDifference> environment;
  EnvironmentKnown known;  ///< what those are of
};

/// Compares metrics and environments. `past`: as for `campaign_comparison`.
ComparedCampaigns compared_campaigns(const MeasuredCampaign& before, const MeasuredCampaign& after,
                                     const Comparability& comparability, const SystemSeries* past = nullptr);

/// One of the comparison's medians as it is shown, in the metric's unit; a dash where there is none.
std::string compared_text(const MetricComparison& comparison, const std::optional<double>& value);

/// "+3.1 %"; a dash where there is no shift.
std::string shift_text(const std::optional<double>& shift);

/// "hpl-reference-1n", or both ids where they differ.
std::string case_text(const MetricComparison& comparison);

/// What the metric is called: "Rmax"; a phase by its own name.
std::string compared_title(const MetricComparison& comparison);

/// The number of values on each side of a row.
std::pair<std::size_t, std::size_t> counts_of(const MetricComparison& comparison);

/// "worse: of 4 leading metrics 1 worse, 3 same".
std::string overall_text(const std::vector<MetricComparison>& metrics);

/// What intervals assume where days are not known to be alike; empty: none does.
std::string assumption_text(const std::vector<MetricComparison>& metrics);

}  // namespace shakedown
