#include "reports/judge/clause.hpp"

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/judge/clause_cases.hpp"
#include "reports/judge/each_node.hpp"
#include "reports/measure/display.hpp"
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

namespace {

/// By the attempts alone, whatever was excluded.
CriterionResult judged_attempts(const Criterion& clause, const ClauseScene& scene) {
  CriterionResult judged = unjudged(clause);
  ReliabilityRow row;
  for (const CaseRecord& record : scene.campaign.cases)
    if ((clause.suite == whole_campaign || record.planned.suite == clause.suite) &&
        speaks_of(clause, record, scene.stand_ins))
      row.count(scene.campaign, record);
  judged.n = row.started;
  if (row.started == 0) {
    judged.because = fmt::format("no attempt of {} was started",
                                 clause.suite == whole_campaign ? "the campaign" : spoken_of(clause));
    return judged;
  }
  const bool limited = clause.aggregation.kind == Aggregation::Kind::lower_confidence;
  const double confidence =
      limited ? 2 * clause.aggregation.confidence - 1 : 0.95;  // one side of an interval
  const auto rate = wilson_interval(static_cast<std::size_t>(row.succeeded),
                                    static_cast<std::size_t>(row.started), confidence);
  judged.verdict = Verdict::undecided;
  if (judged.n < clause.runs_min.value_or(1) || !rate || !clause.limit) {
    judged.because = !rate          ? rate.error().what
                     : clause.limit ? fmt::format("{}, and the criterion takes {} at least",
                                                  counted_text(row), clause.runs_min.value_or(1))
                                    : "the criterion states no limit";
    return judged;
  }
  const bool wants_more = clause.direction == Direction::at_least;
  judged.measured = !limited ? rate->rate : wants_more ? rate->low : rate->high;
  judged.aggregate = limited ? fmt::format("{} {} limit by Wilson's interval", wants_more ? "lower" : "upper",
                                           confidence_text(clause.aggregation.confidence))
                             : "rate";
  const double figure = judged.measured.value_or(0);
  const ShownPair shown = shown_beside(clause.metric, figure, *clause.limit);
  const bool holds = wants_more ? figure >= *clause.limit : figure <= *clause.limit;
  judged.verdict = holds ? Verdict::pass : Verdict::fail;
  judged.because = fmt::format("{} {} {} ({}{})", shown.value, relation(clause.direction, holds), shown.limit,
                               limited ? judged.aggregate + ", " : "", counted_text(row));
  return judged;
}

}  // namespace

CriterionResult judged_reliability(const Criterion& clause, const ClauseScene& scene) {
  CriterionResult judged = judged_attempts(clause, scene);
  demand_few_exclusions(judged, clause, scene.campaign);
  return judged;
}

}  // namespace shakedown
