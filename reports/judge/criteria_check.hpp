#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/criteria_reach.hpp"
#include "reports/measure/comparability.hpp"

namespace shakedown {

/// The probability that a criterion passes machines whose true mean lies `sigmas` standard deviations of
/// single runs on the good side of its limit, where `runs` independent normal runs are judged.
///
///   every             p^n
///   median            at least half the runs meet it; of an even number the mean of the two middle ones does
///   lower_confidence  at most rank - 1 runs miss it
///   best_of           at least k of n runs meet it
///
/// with p the chance that one run meets it. Fails if so few runs make no such value.
///
/// Source: order statistics, H. A. David and H. N. Nagaraja, "Order Statistics", 2.1 and 2.3.
Result<double> pass_probability(const Aggregation& how, int runs, double sigmas);

/// Where a criterion passes a machine with the given probability, in standard deviations above its limit:
/// below 0 on the bad side. Fails as above.
Result<double> sigmas_for(const Aggregation& how, int runs, double probability);

/// What a criterion costs both parties at a coefficient of variation of single runs.
struct CriterionRisk {
  int runs = 1;
  int machines = 1;            ///< nodes that must each pass: 1 but for criteria on each node
  double vendor = 0;           ///< chance that a machine one sigma good fails
  double even = 0;             ///< chance that one exactly at the limit passes
  double customer = 0;         ///< chance that a machine one sigma bad passes
  double vendor_margin = 0;    ///< true mean / limit - 1, on the good side, that passes in 95 %
  double customer_margin = 0;  ///< true mean / limit - 1, on the good side, that still passes in 5 %
};

/// `machines` independent ones must all pass; `cov`: standard deviation of single runs / limit.
Result<CriterionRisk> criterion_risk(const Aggregation& how, int runs, int machines, double cov);

/// What is known of the campaign that criteria are checked for, before it runs.
struct CheckScene {
  double cov = 0.01;                    ///< coefficient of variation of single runs
  int runs = 1;                         ///< of a case, where no configuration states how many
  const Acceptance* planned = nullptr;  ///< null: not known
  std::span<const Case> cases{};  // NOLINT(readability-redundant-member-init): that it plans; none: not known
  std::optional<int> system_nodes{};  // NOLINT(readability-redundant-member-init): of the system
  bool knows_accepted = false;        ///< the criteria were frozen with what was last accepted, if anything
  double now_s = 0;
};

/// A criterion before its campaign.
struct CriterionCheck {
  const Criterion* criterion = nullptr;
  std::optional<CriterionRisk> risk;
  std::string no_risk;                   ///< why there is none
  std::vector<std::string> undecidable;  ///< why the campaign can't decide it, as sentences; empty: it can
};

/// Two criteria that get in each other's way.
struct CriteriaConflict {
  std::string first;
  std::string second;
  std::string because;
};

struct CriteriaCheck {
  std::vector<CriterionCheck> criteria;  ///< in the order of the file; point into the criteria
  std::vector<CriteriaConflict> conflicts;
  std::vector<UnjudgedWork> unjudged;  ///< of the plan; none where it is not known
  std::vector<std::string> remarks;    ///< of what does nothing, or something else than it seems
  std::vector<std::string> predicted;  ///< `predicted_limits`

  /// Nothing contradicts anything, and everything can be decided.
  [[nodiscard]] bool sound() const;
};

/// Checks frozen criteria. `criteria` must outlive the answer.
CriteriaCheck checked_criteria(const Criteria& criteria, const Comparability& comparability,
                               const CheckScene& scene);

/// Pairs of criteria on one metric that no result can meet both, and pairs that set the same with
/// different limits.
std::vector<CriteriaConflict> conflicts_between(const std::vector<Criterion>& criteria);

}  // namespace shakedown
