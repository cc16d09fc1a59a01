#include "reports/judge/judged_criterion.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/judge/each_node.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/machines.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

/// A criterion that asks for so many nodes applies to the cases that were planned for as many; if there are
/// none, to the widest, which then make it undecided.
void keep_wide(std::vector<const MeasuredCase*>& cases, const Criterion& criterion) {
  if (!criterion.nodes_required || cases.empty()) return;
  int widest = 0;
  for (const MeasuredCase* record : cases) widest = std::max(widest, record->planned_nodes());
  const int least = std::min(widest, *criterion.nodes_required);
  std::erase_if(cases, [&](const MeasuredCase* record) { return record->planned_nodes() < least; });
}

/// What the repetitions of a case have in common: the id of the first.
std::string first_repetition(const MeasuredCase& record) {
  return first_repetition_id(record.before.empty() ? record.planned : record.before.front()->planned);
}

/// What the repetitions of a run that was made elsewhere have in common, since no plan names them as
/// repetitions: all that their logs state of it but the seed, and of logs of several machines which. A log
/// that states nothing is like no other.
std::string stated_shape(const MeasuredCase& record, bool several_machines) {
  const Case& planned = record.planned;
  std::string shape = fmt::format("{} {} {} nodes {} ranks {} x {}", planned.suite, planned.implementation,
                                  planned.benchmark, planned.nodes, planned.ranks, planned.threads_per_rank);
  bool any = false;
  for (const Parameter& parameter : planned.parameters) {
    if (parameter.name == "seed") continue;
    any = true;
    shape += fmt::format("; {} = {}", parameter.name, value_text(parameter.value));
  }
  if (several_machines)
    for (const auto& [what, value] : stated_machine(record)) shape += fmt::format("; {} {}", what, value);
  return any ? shape : planned.id;
}

/// The fewest nodes that a result of the subject comes from; 0: not known of one.
int nodes_of(SubjectCases subject) {
  return std::ranges::min(subject, {}, [](const MeasuredCase* record) { return record->planned.nodes; })
      ->planned.nodes;
}

/// "10 of 12 nodes", "shakedown_lora, 1 node": the cases of a subject.
std::string covered(SubjectCases subject) {
  const MeasuredCase& first = *subject.front();
  const int nodes = nodes_of(subject);
  const int planned = first.planned_nodes();
  std::vector<std::string> parts;
  if (!first.benchmark.empty()) parts.push_back(first.benchmark);
  if (nodes > 0)
    parts.push_back(nodes == planned ? plural(nodes, "node") : fmt::format("{} of {} nodes", nodes, planned));
  return joined(parts, ", ");
}

CriterionResult judged_together(const Criterion& criterion, SubjectCases subject,
                                const CriterionScene& scene) {
  CriterionResult judged = judged_subject(criterion, subject, scene);
  require_nodes(judged, criterion, nodes_of(subject));
  for (const MeasuredCase* record : subject)
    if (!record->before.empty())
      judged.because += fmt::format("; in place of {} on {} nodes", record->before.front()->planned.id,
                                    record->planned_nodes());
  require_few_exclusions(judged, criterion, scene.campaign.record);
  require_few_attempts(judged, criterion, subject);
  return judged;
}

}  // namespace

bool applies_to(const Criterion& criterion, const MeasuredCase& record) {
  if (!criterion.benchmark.empty() && record.benchmark != criterion.benchmark) return false;
  return !criterion.nodes || record.planned_nodes() == *criterion.nodes;
}

JudgedCases cases_of(const Criterion& criterion, const CriterionScene& scene) {
  JudgedCases judged;
  std::vector<const MeasuredCase*> alone;
  using Kind = std::tuple<std::string_view, std::string_view, int>;
  std::map<Kind, std::size_t> kinds;
  for (const MeasuredCase& record : scene.campaign.cases) {
    const Case& planned = record.planned;
    if (planned.suite != criterion.suite || (record.replaced && record.counted.empty())) continue;
    if (planned.confirms) continue;  // made because of what was measured: a second try for nobody
    if (criterion.each_node && *criterion.each_node != planned.bound) continue;
    if (!applies_to(criterion, record)) continue;
    if (!planned.bound) {
      alone.push_back(&record);
      continue;
    }
    const auto [it, is_new] =
        kinds.emplace(Kind{planned.implementation, planned.benchmark, planned.stage}, judged.bound.size());
    if (is_new) judged.bound.emplace_back();
    judged.bound[it->second].push_back(&record);
  }
  keep_wide(alone, criterion);
  const bool several_machines = !scene.campaign.machines.empty();
  std::map<std::string, std::size_t> repeated;
  for (const MeasuredCase* record : alone) {
    const auto [it, is_new] =
        repeated.emplace(is_external(scene.campaign.record) ? stated_shape(*record, several_machines)
                                                            : first_repetition(*record),
                         judged.together.size());
    if (is_new) judged.together.emplace_back();
    judged.together[it->second].push_back(record);
  }
  return judged;
}

std::string scope_text(const Criterion& criterion) {
  std::string text = suite_title(criterion.suite);
  if (!criterion.benchmark.empty()) text += " " + criterion.benchmark;
  if (criterion.nodes)
    text += fmt::format(" on {} node{}", *criterion.nodes, *criterion.nodes == 1 ? "" : "s");
  if (!criterion.each_node) return text;
  return text + (*criterion.each_node ? " on each node"
                 : criterion.nodes    ? " together"
                                      : " on nodes together");
}

std::vector<CriterionResult> judged_criterion(const Criterion& criterion, const MeasuredCampaign& campaign,
                                              const Comparability& comparability,
                                              const std::vector<Disturbance>& disturbances) {
  const CriterionScene scene{campaign, comparability, disturbances};
  if (criterion.metric == "reliability") return {judged_reliability(criterion, scene)};
  const JudgedCases cases = cases_of(criterion, scene);
  const bool several = cases.size() > 1;
  std::vector<CriterionResult> judged;
  for (const auto& subject : cases.together) {
    judged.push_back(judged_together(criterion, subject, scene));
    if (several) judged.back().id += "@" + subject.front()->planned.id;
    if (several || subject.front()->planned_nodes() > 1) judged.back().covers = covered(subject);
  }
  for (size_t i = 0; i < cases.bound.size(); ++i) {
    judged.push_back(judged_nodes(criterion, cases.bound[i], scene));
    if (several) judged.back().id += i == 0 ? "@each-node" : fmt::format("@each-node-{}", i + 1);
    if (const auto nodes = std::ssize(judged.back().nodes); nodes > 1)
      judged.back().covers = fmt::format("each of {} nodes", nodes);
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
  for (const MeasuredCase& record : scene.campaign.cases)
    if ((criterion.suite == whole_campaign || record.planned.suite == criterion.suite) &&
        applies_to(criterion, record))
      row.count(scene.campaign.record, record);
  judged.n = row.started;
  if (row.started == 0) {
    judged.because = fmt::format("no attempt of {} was started",
                                 criterion.suite == whole_campaign ? "the campaign" : scope_text(criterion));
    return judged;
  }
  const bool limited = criterion.aggregation.kind == Aggregation::Kind::lower_confidence;
  const double confidence =
      limited ? 2 * criterion.aggregation.confidence - 1 : 0.95;  // one side of an interval
  const auto rate = exact_interval(static_cast<std::size_t>(row.succeeded),
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
  judged.aggregate = limited ? fmt::format("exact {} {} limit", wants_more ? "lower" : "upper",
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
  require_few_exclusions(judged, criterion, scene.campaign.record);
  return judged;
}

}  // namespace shakedown
