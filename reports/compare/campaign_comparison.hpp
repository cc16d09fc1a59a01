#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/compare/attempt_comparison.hpp"
#include "reports/compare/node_comparison.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/statistics/before_after.hpp"

namespace shakedown {

/// What can be said of a figure of two campaigns.
enum class Standing {
  worse,         ///< beyond noise, and by more than counts
  better,        ///< likewise
  same,          ///< no difference of the size that counts, which would have been found
  undecided,     ///< too few runs, or too much noise, to tell
  not_compared,  ///< the runs are not alike, or one side has no valid result
};
std::string_view to_string(Standing standing);  ///< "worse", ..., "not-compared"

/// The row that sets the shares of attempts that succeeded beside each other, as medians.
inline constexpr std::string_view attempts_metric = "reliability";

Standing standing_of(ChangeFinding change);

/// One figure of like runs in two campaigns: what a value is of, `judge_figure` says.
struct FigureComparison {
  std::string suite;
  std::string implementation;
  std::string benchmark;  ///< empty: the suite is one
  int nodes = 0;
  std::string before_case;  ///< the first of those that were taken together; empty: there is none
  std::string after_case;
  std::string metric;  ///< empty: no figure of it was looked at
  std::string unit;    ///< of a phase; else the metric's name says it
  Better better = Better::higher;
  bool leading = false;        ///< decides the exit code: the suite's own figure, not what stands beside it
  std::vector<double> before;  ///< of valid results, in their order
  std::vector<double> after;
  std::optional<double> median_before;  ///< of the values, or of the nodes' medians
  std::optional<double> median_after;
  std::optional<double> shift;            ///< share of the median before: Hodges-Lehmann, or of the medians
  std::optional<BeforeAfter> statistics;  ///< none with too few runs or nodes
  std::optional<AttemptComparison> attempts;  ///< of the metric `attempts_metric` alone
  std::vector<NodeChange> by_node;            ///< the worst first; where nodes were set beside themselves
  Standing standing = Standing::not_compared;
  std::string verdict;  ///< in words, with the figures that it rests on; why they are not compared
  std::string note;     ///< what differs and does not forbid it: "N 80000 before, 81920 after"; may be empty
};

/// Sets the figures of two campaigns beside each other. Runs are alike where suite, build, benchmark, nodes,
/// ranks and parameters are the same; where those differ, only if comparability.toml allows the metric and
/// all its conditions hold on both sides. What has no counterpart is listed with the reason. Only valid
/// results are taken; how many attempts left one is a figure of its own, leading where any was lost. Metrics
/// without a direction (residuals, counts) are not looked at.
///
/// Statistics and words: `judge_figure`. Formulas: reports/metrics.md.
std::vector<FigureComparison> campaign_comparison(const CampaignRecord& before, const CampaignRecord& after,
                                                  const Comparability& comparability,
                                                  const BeforeAfterLimits& limits = {});

/// What the leading figures say together: worse where any is; else undecided where any is, or where one has
/// lost its valid results; else better where any is, else the same; not_compared where none was compared.
Standing overall_standing(const std::vector<FigureComparison>& figures);

}  // namespace shakedown
