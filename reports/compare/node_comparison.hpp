#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/statistics/before_after.hpp"

namespace shakedown {

/// How much the level of a metric differs from day to day on nodes, each by itself; of no names on nodes
/// together.
using DaySpreads = std::function<std::optional<DaySpread>(std::span<const std::string> nodes)>;

/// By what values of two campaigns are compared, and with which words.
struct ChangeTerms {
  Better better = Better::higher;
  BeforeAfterLimits limits;
  DaySpreads days;       ///< none: nothing is known of other days
  bool is_speed = true;  ///< the metric is a rate or a time, slower or faster; else lower or higher
};

/// A node that was measured before and after; neither is empty.
struct NodeRuns {
  std::string node;
  std::vector<double> before;
  std::vector<double> after;
  std::vector<double> repeats{};  // NOLINT(readability-redundant-member-init): since, because it was suspect
  bool suspect = false;           ///< of the campaign after, which may repeat it
};

/// How one of them changed.
struct NodeChange {
  std::string node;
  double shift = 0;  ///< of its medians, as a share of the one before
  std::optional<BeforeAfter>
      runs;  ///< of its own runs, each of k nodes at 1/k of the significance; none: few
};

/// Nodes beside themselves.
struct NodeComparison {
  ChangeFinding change = ChangeFinding::undecided;
  double shift = 0;                       ///< the median of theirs
  std::optional<BeforeAfter> statistics;  ///< over the nodes (`paired_change`); none: they are too few
  std::vector<NodeChange> nodes;          ///< the worst first
  std::string verdict;                    ///< in words; names the worst node
};

/// Compares nodes with themselves: repetitions on a node show how well its own value is known, not how much
/// nodes differ. From as many nodes on as an interval of their median takes (6 at 95 %) all of them together
/// by the change of each; below that each by its own runs, at a significance that is shared out among them
/// (Bonferroni). One bad node is not hidden by the others: one that lost by its own runs is worse, and so is
/// one that is out of line with the others (`screened_nodes`, where a tenth of the suspects may be healthy)
/// and whose repeats confirm it; while one is not repeated, the whole is undecided. A node that is no suspect
/// beside the nodes of its own campaign, as it was above them before, can't be repeated by that: there only
/// its own runs can decide.
///
/// Fails with fewer than two nodes, and where the median before of one is not above 0.
Result<NodeComparison> compared_nodes(std::span<const NodeRuns> nodes, const ChangeTerms& terms);

}  // namespace shakedown
