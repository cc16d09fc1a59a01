#include "reports/judge/judged_criterion.hpp"

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/judge/criterion_cases.hpp"
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

CriterionResult judged_together(const Criterion& criterion, SubjectCases subject,
                                const CriterionScene& scene) {
  CriterionResult judged = judged_subject(criterion, subject, scene);
  require_nodes(judged, criterion, nodes_of(subject));
  for (const CaseRecord* record : subject)
    if (const auto before = scene.replacements.before(*record); !before.empty())
      judged.because += fmt::format("; in place of {} on {} nodes", before.front()->planned.id,
                                    before.front()->planned.nodes);
  require_few_exclusions(judged, criterion, scene.campaign);
  require_few_attempts(judged, criterion, subject, scene);
  return judged;
}

}  // namespace

std::vector<CriterionResult> judged_criterion(const Criterion& criterion, const CampaignRecord& campaign,
                                              const Comparability& comparability,
                                              const std::vector<Disturbance>& disturbances) {
  const Replacements replacements(campaign);
  const CriterionScene scene{campaign, comparability, disturbances, replacements};
  if (criterion.metric == "reliability") return {judged_reliability(criterion, scene)};
  const JudgedCases cases = cases_of(criterion, scene);
  const bool several = cases.size() > 1;
  std::vector<CriterionResult> judged;
  for (const auto& subject : cases.together) {
    judged.push_back(judged_together(criterion, subject, scene));
    if (several) judged.back().id += "@" + subject.front()->planned.id;
  }
  for (size_t i = 0; i < cases.bound.size(); ++i) {
    judged.push_back(judged_nodes(criterion, cases.bound[i], scene));
    if (several) judged.back().id += i == 0 ? "@each-node" : fmt::format("@each-node-{}", i + 1);
  }
  if (judged.empty()) {
    judged.push_back(unjudged(criterion));
    judged.back().because = fmt::format("the campaign has no case of {}", scope_text(criterion));
  }
  return judged;
}

namespace {

/// By the attempts alone, whatever was excluded.
CriterionResult judged_attempts(const Criterion& criterion, const CriterionScene& scene) {
  CriterionResult judged = unjudged(criterion);
  ReliabilityRow row;
  for (const CaseRecord& record : scene.campaign.cases)
    if ((criterion.suite == whole_campaign || record.planned.suite == criterion.suite) &&
        applies_to(criterion, record, scene.replacements))
      row.count(scene.campaign, record);
  judged.n = row.started;
  if (row.started == 0) {
    judged.because = fmt::format("no attempt of {} was started",
                                 criterion.suite == whole_campaign ? "the campaign" : scope_text(criterion));
    return judged;
  }
  const bool limited = criterion.aggregation.kind == Aggregation::Kind::lower_confidence;
  const double confidence =
      limited ? 2 * criterion.aggregation.confidence - 1 : 0.95;  // one side of an interval
  const auto rate = wilson_interval(static_cast<std::size_t>(row.succeeded),
                                    static_cast<std::size_t>(row.started), confidence);
  judged.verdict = Verdict::undecided;
  if (judged.n < criterion.runs_min.value_or(1) || !rate || !criterion.limit) {
    judged.because = !rate             ? rate.error().what
                     : criterion.limit ? fmt::format("{}, and the criterion takes {} at least",
                                                     counted_text(row), criterion.runs_min.value_or(1))
                                       : "the criterion states no limit";
    return judged;
  }
  const bool wants_more = criterion.direction == Direction::at_least;
  judged.measured = !limited ? rate->rate : wants_more ? rate->low : rate->high;
  judged.aggregate = limited ? fmt::format("{} {} limit by Wilson's interval", wants_more ? "lower" : "upper",
                                           confidence_text(criterion.aggregation.confidence))
                             : "rate";
  const double value = judged.measured.value_or(0);
  const ShownPair shown = shown_beside(criterion.metric, value, *criterion.limit);
  const bool holds = wants_more ? value >= *criterion.limit : value <= *criterion.limit;
  judged.verdict = holds ? Verdict::pass : Verdict::fail;
  judged.because = fmt::format("{} {} {} ({}{})", shown.value, relation(criterion.direction, holds),
                               shown.limit, limited ? judged.aggregate + ", " : "", counted_text(row));
  return judged;
}

}  // namespace

CriterionResult judged_reliability(const Criterion& criterion, const CriterionScene& scene) {
  CriterionResult judged = judged_attempts(criterion, scene);
  require_few_exclusions(judged, criterion, scene.campaign);
  return judged;
}

}  // namespace shakedown
