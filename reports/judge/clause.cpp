#include "reports/judge/clause.hpp"

#include <algorithm>

#include "reports/judge/clause_cases.hpp"
#include "reports/judge/clause_reliability.hpp"
#include "reports/judge/each_node.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

/// The fewest nodes that a result of the subject comes from; 0: not known of one.
int nodes_of(SubjectCases subject) {
  return std::ranges::min(subject, {}, [](const CaseRecord* record) { return record->planned.nodes; })
      ->planned.nodes;
}

CriterionResult judged_together(const Criterion& clause, SubjectCases subject, const ClauseScene& scene) {
  CriterionResult judged = judged_subject(clause, subject, scene);
  demand_nodes(judged, clause, nodes_of(subject));
  for (const CaseRecord* record : subject)
    if (const auto before = scene.stand_ins.before(*record); !before.empty())
      judged.because += fmt::format("; in place of {} on {} nodes", before.front()->planned.id,
                                    before.front()->planned.nodes);
  demand_few_exclusions(judged, clause, scene.campaign);
  demand_few_attempts(judged, clause, subject, scene);
  return judged;
}

}  // namespace

std::vector<CriterionResult> judged_clause(const Criterion& clause, const CampaignRecord& campaign,
                                           const Comparability& comparability,
                                           const std::vector<IdleObjection>& idle_objections) {
  const StandIns stand_ins(campaign);
  const ClauseScene scene{campaign, comparability, idle_objections, stand_ins};
  if (clause.metric == "reliability") return {judged_reliability(clause, scene)};
  const JudgedCases cases = cases_of(clause, scene);
  const bool several = cases.size() > 1;
  std::vector<CriterionResult> judged;
  for (const auto& subject : cases.together) {
    judged.push_back(judged_together(clause, subject, scene));
    if (several) judged.back().id += "@" + subject.front()->planned.id;
  }
  for (size_t i = 0; i < cases.bound.size(); ++i) {
    judged.push_back(judged_nodes(clause, cases.bound[i], scene));
    if (several) judged.back().id += i == 0 ? "@each-node" : fmt::format("@each-node-{}", i + 1);
  }
  if (judged.empty()) {
    judged.push_back(unjudged(clause));
    judged.back().because = fmt::format("the campaign has no case of {}", spoken_of(clause));
  }
  return judged;
}

}  // namespace shakedown
