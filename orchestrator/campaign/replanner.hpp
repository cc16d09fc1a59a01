#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/campaign/attempt_ledger.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/planning/plan_options.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Cases that can't run as planned: gives them up, and plans narrower ones in their place where nodes are
/// missing.
class Replanner {
 public:
  Replanner(ExecutionContext& context, ProgressEvents& events, NodeWatch& nodes, AttemptLedger& ledger);

  /// Asks what the scheduler allows at all, and gives up the cases that no job could ever run.
  Result<void> apply_limits();
  /// Plans the cases of this stage again for which too few nodes remain. Whether cases were added: the
  /// campaign's cases have moved then.
  Result<bool> plan_again();
  /// Gives up the cases for which no node remains, and if nothing else remains to do (`idle`) those whose
  /// nodes get no jobs. Whether there were any.
  Result<bool> give_up_impossible(bool idle);

 private:
  [[nodiscard]] JobRequest job_request_of(std::size_t work) const;
  /// Adds a case in the place of one that can't run any more.
  Result<void> replace_case(Case fresh, const Case& old, const std::string& because);

  ExecutionContext& context_;
  ProgressEvents& events_;
  NodeWatch& nodes_;
  AttemptLedger& ledger_;
};

/// "hpl-on-3 on 3 nodes took its place".
std::string replaced_by(const Case& fresh);

/// The options that a campaign was planned by; none where its plan was given to it. Fails where they can't be
/// read.
Result<std::optional<PlanOptions>> planned_options(const CampaignRecord& campaign);

/// The cases of a campaign planned again as they were, without the nodes named. Fails if its plan was given
/// to it, or if nothing can be planned on the remaining nodes.
Result<std::vector<Case>> planned_again(const CampaignRecord& campaign,
                                        const std::vector<std::string>& without, const Layout& layout);

/// The case of a new plan that corresponds to `cases[place]` of the campaign: the same suite, implementation,
/// benchmark, stage and repetition, and as the first, second, ... of those, each as they were planned at
/// first. Null: there is none.
const Case* counterpart(std::span<const CaseRecord> cases, std::size_t place, std::span<const Case> fresh);

}  // namespace shakedown
