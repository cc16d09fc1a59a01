#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/store/record.hpp"
#include "reports/comparability.hpp"
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

/// One figure of like runs in two campaigns, repetitions taken together.
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
  std::optional<double> median_before;
  std::optional<double> median_after;
  std::optional<double> shift;            ///< share of the median before: Hodges-Lehmann, or of the medians
  std::optional<BeforeAfter> statistics;  ///< none with fewer than two runs on a side
  Standing standing = Standing::not_compared;
  std::string verdict;  ///< in words, with the figures that it rests on; why they are not compared
  std::string note;     ///< what differs and does not forbid it: "N 80000 before, 81920 after"; may be empty
};

/// Sets the figures of two campaigns beside each other. Runs are alike where suite, build, benchmark, nodes,
/// ranks and parameters are the same; where those differ, only if comparability.toml allows the metric and
/// all its conditions hold on both sides. What has no counterpart is listed with the reason. Only valid
/// results are taken. Metrics without a direction (residuals, counts) are not looked at.
///
/// Statistics and words: `before_after`. Formulas: reports/metrics.md.
std::vector<FigureComparison> campaign_comparison(const CampaignRecord& before, const CampaignRecord& after,
                                                  const Comparability& comparability,
                                                  const BeforeAfterLimits& limits = {});

/// Which way a metric is better, by the unit in its name or that of a phase; none: it has no direction.
std::optional<Better> direction_of(std::string_view metric, std::string_view unit = {});

/// What the leading figures say together: worse where any is; else undecided where any is, or where one has
/// lost its valid results; else better where any is, else the same; not_compared where none was compared.
Standing overall_standing(const std::vector<FigureComparison>& figures);

}  // namespace shakedown
