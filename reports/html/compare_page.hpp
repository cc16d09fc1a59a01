#pragma once
#include <string>
#include <vector>

#include "reports/compare/compared_campaigns.hpp"
#include "reports/html/forest_plot.hpp"
#include "reports/html/template.hpp"
#include "reports/judge/baseline_comparison.hpp"
#include "reports/judge/judgement.hpp"

namespace shakedown {

/// A campaign on the page of a comparison.
struct ComparedSide {
  const MeasuredCampaign& measured;
  const Judgement& judgement;
  std::string results_sha256;  ///< of its results.json
};

/// Two campaigns as one page of HTML that loads nothing: what moved, a forest plot, all metrics, what else
/// differs, the nodes that differ, verdicts and provenance. The values are those of `compared`.
Result<std::string> comparison_page(const ComparedCampaigns& compared, const ComparedSide& before,
                                    const ComparedSide& after);

/// A campaign beside published values as such a page.
Result<std::string> comparison_page(const std::vector<BaselineComparison>& rows, const Baseline& baseline,
                                    const ComparedSide& side);

/// What a page's table and plot are filled with: a row each in the order of the comparison, the plot's only
/// where both sides have a value that may be compared.
struct ComparedRows {
  std::vector<Fields> table;
  ForestPlot plot;
  std::size_t not_drawn = 0;  ///< rows beyond the plot's most
};
ComparedRows compared_rows(const ComparedCampaigns& compared);
ComparedRows compared_rows(const std::vector<BaselineComparison>& rows);

/// The nodes that differ: first those that are slow beside the others of their campaign, then those that
/// changed by what counts, the worst first. `before`: null beside published values.
std::vector<Fields> differing_nodes(const std::vector<MetricComparison>& metrics, const Judgement* before,
                                    const Judgement& after);

/// "Only before: n[1-3]. Only after: n7.": nodes that one campaign alone ran on; empty: there is none.
std::string nodes_of_one_side(const CampaignRecord& before, const CampaignRecord& after);

}  // namespace shakedown
