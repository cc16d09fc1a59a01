#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/plan/acceptance.hpp"
#include "reports/judge/clause_risk.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/measure/comparability.hpp"

namespace shakedown {

/// What is known of the campaign that criteria are checked for, before it runs.
struct CheckScene {
  double cov = 0.01;                    ///< coefficient of variation of single runs
  int runs = 1;                         ///< of a case, where no configuration says how many
  const Acceptance* planned = nullptr;  ///< null: not known
  std::optional<int> system_nodes{};    // NOLINT(readability-redundant-member-init): of the system
  bool knows_accepted = false;          ///< the criteria were frozen with what was last accepted, if anything
  double now_s = 0;
};

/// A clause before its campaign.
struct ClauseCheck {
  const Criterion* clause = nullptr;
  std::optional<ClauseRisk> risk;
  std::string no_risk;                   ///< why there is none
  std::vector<std::string> undecidable;  ///< why the campaign can't decide it, as sentences; empty: it can
};

/// Two clauses that get in each other's way.
struct ClauseConflict {
  std::string first;
  std::string second;
  std::string because;
};

struct CriteriaCheck {
  std::vector<ClauseCheck> clauses;  ///< in the order of the file; point into the criteria
  std::vector<ClauseConflict> conflicts;
  std::vector<std::string> remarks;  ///< of what does nothing, such as an expired waiver

  /// Nothing contradicts anything, and everything can be decided.
  [[nodiscard]] bool sound() const;
};

/// Checks frozen criteria. `criteria` must outlive the answer.
CriteriaCheck checked_criteria(const Criteria& criteria, const Comparability& comparability,
                               const CheckScene& scene);

/// Pairs of clauses on one metric that no result can meet both, and pairs that demand the same with
/// different limits.
std::vector<ClauseConflict> conflicts_between(const std::vector<Criterion>& clauses);

}  // namespace shakedown
