#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// p-values of many tests made at once, raised so that those at or below a level may be believed together, in
/// the order given: by Holm, no single one of them is wrong but with that probability; by Benjamini and
/// Hochberg, that share of those believed is expected to be wrong. Fail on what is no probability.
///
/// Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979; Y. Benjamini and
/// Y. Hochberg, "Controlling the False Discovery Rate", 1995.
Result<std::vector<double>> holm_adjusted(std::span<const double> p);
Result<std::vector<double>> benjamini_hochberg_adjusted(std::span<const double> p);

/// Modified z-scores: 0.6745 (x - median) / MAD, which a few bad nodes don't spoil. Where more than half of
/// the values are equal, so that MAD is 0, the mean absolute deviation replaces it, (x - median) /
/// (1.2533 MeanAD); where all are equal every score is 0. Fails with fewer than 3 values.
///
/// Source: B. Iglewicz and D. C. Hoaglin, "How to Detect and Handle Outliers", 1993; the replacement: IBM
/// SPSS Statistics Algorithms, modified z-score.
Result<std::vector<double>> modified_z(std::span<const double> values);

/// A node's rate as it was measured, what it gave itself before, and what repeats of it gave.
struct NodeRate {
  double rate = 0;  ///< higher is better, above 0
  // NOLINTBEGIN(readability-redundant-member-init): g++ 12 wants one where an initialiser omits it
  std::span<const double> before{};   ///< its own rates on earlier days, relative to the median of that day
  std::span<const double> repeats{};  ///< made since because it was suspect
  // NOLINTEND(readability-redundant-member-init)
};

struct ScreenLimits {
  double suspect_share = 0.5;  ///< of the suspects that may be healthy (Benjamini-Hochberg)
  double false_share = 0.1;    ///< of those confirmed
  double magnitude = 0.02;     ///< a node less than 2 % below what it should give is no suspect
};

struct NodeVerdict {
  bool suspect = false;    ///< by its first rate: to be repeated
  bool confirmed = false;  ///< suspect, and its repeats confirm it
  double expected = 0;     ///< what it should give: the median, or its own past
  double loss = 0;         ///< 0.05: 5 % below that; of the repeats where there are any
  double adjusted_p = 1;
};

/// Which of many nodes are slow. A node with three earlier rates or more is compared with their median, on
/// the day's level, which takes out what is its own; others with the median of all nodes. Distances from
/// there are turned to modified z-scores within either kind, and their tails adjusted by Benjamini and
/// Hochberg: Holm, which guards against a single wrong one, misses the more the more nodes there are. Tails
/// are those of Student's t with 0.37 (n - 1) degrees of freedom, one at least: a MAD of normal values is
/// worth that share of a standard deviation, and among few nodes may be much too small. Suspects are
/// repeated, so half of them may be wrong. Confirmed are those that the median of their repeats confirms,
/// nodes without repeats counting as p = 1: of these a tenth may be wrong, whatever made them suspects.
///
/// Fails with fewer than 3 nodes and on rates that are not finite and above 0.
///
/// Source: as above; the MAD's efficiency: P. J. Rousseeuw and C. Croux, "Alternatives to the Median Absolute
/// Deviation", JASA 88, 1993. What it finds and its false alarms: docs/benchmarks.md.
Result<std::vector<NodeVerdict>> screened_nodes(std::span<const NodeRate> nodes,
                                                const ScreenLimits& limits = {});

}  // namespace shakedown
