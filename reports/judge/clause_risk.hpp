#pragma once
#include <optional>

#include "orchestrator/core/error.hpp"
#include "reports/judge/aggregation.hpp"

namespace shakedown {

/// How likely a clause passes machines whose true mean lies `sigmas` standard deviations of single runs on
/// the good side of its limit, where `runs` independent normal runs are judged.
///
///   every             p^n
///   median            at least half the runs meet it; of an even number the mean of the two middle ones does
///   lower_confidence  at most rank - 1 runs miss it
///   best_of           at least k of n runs meet it
///
/// with p the chance that one run meets it. Fails where so few runs make no such figure.
///
/// Source: order statistics, H. A. David and H. N. Nagaraja, "Order Statistics", 2.1 and 2.3.
Result<double> pass_probability(const Aggregation& how, int runs, double sigmas);

/// Where a clause passes a machine with the given probability, in standard deviations above its limit:
/// below 0 on the bad side. Fails as above.
Result<double> sigmas_for(const Aggregation& how, int runs, double probability);

/// What a clause costs both parties at a coefficient of variation of single runs.
struct ClauseRisk {
  int runs = 1;
  int machines = 1;            ///< nodes that must each pass: 1 but for clauses on each node
  double vendor = 0;           ///< chance that a machine one sigma good fails
  double even = 0;             ///< chance that one exactly at the limit passes
  double customer = 0;         ///< chance that a machine one sigma bad passes
  double vendor_margin = 0;    ///< true mean / limit - 1, on the good side, that passes in 95 %
  double customer_margin = 0;  ///< true mean / limit - 1, on the good side, that still passes in 5 %
};

/// `machines` independent ones must all pass; `cov`: standard deviation of single runs / limit.
Result<ClauseRisk> clause_risk(const Aggregation& how, int runs, int machines, double cov);

}  // namespace shakedown
