#include "reports/judge/alarms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/tally.hpp"
#include "reports/judge/waived_breach.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_named = 2;

/// "a; b; and 3 more".
std::string named_first(const std::vector<std::string>& all) {
  const std::size_t shown = std::min(most_named, all.size());
  return joined(std::span(all).first(shown), "; ") +
         (all.size() > shown ? fmt::format("; and {} more", all.size() - shown) : "");
}

void waiver_alarm(const Judgement& judgement, std::vector<std::string>& found) {
  std::vector<std::string> waived;
  for (const CriterionResult& each : judgement.criteria)
    if (each.waived && each.waiver)
      waived.push_back(fmt::format("{} ({}) by {}, until {}: {}", each.id, breach_text(each),
                                   each.waiver->approver, each.waiver->expires, each.waiver->reason));
  if (!waived.empty()) found.push_back(fmt::format("{} waived: {}", waived.size(), named_first(waived)));
}

void replacement_alarm(const MeasuredCampaign& campaign, std::vector<std::string>& found) {
  std::vector<std::string> replaced;
  for (const MeasuredCase& each : campaign.cases)
    if (!each.before.empty() && !each.replaced)
      replaced.push_back(fmt::format("{} on {} of {} nodes, as {}", each.before.front()->planned.id,
                                     each.planned.nodes, each.planned_nodes(), each.planned.id));
  if (!replaced.empty())
    found.push_back(fmt::format("{} on fewer nodes than planned: {}", plural(std::ssize(replaced), "run"),
                                named_first(replaced)));
}

/// A suite's results, a value for each case.
struct Scaled {
  std::string_view metric;
  std::map<int, std::vector<double>> by_nodes;
};

/// Of rates of arithmetic, which add up over the nodes: the most nodes that gave less than the fewest.
void scaling_alarm(const MeasuredCampaign& campaign, const Judgement& judgement,
                   std::vector<std::string>& found) {
  std::map<std::string, Scaled> all;
  for (const SuiteResult& each : judgement.suite_results) {
    const MeasuredCase* record = campaign.case_with(each.case_id);
    if (!each.measured || record == nullptr || record->planned.nodes < 1 ||
        each.metric != rate_metric(each.suite))
      continue;
    std::string name = benchmark_title(record->planned);
    if (!each.benchmark.empty()) name += " " + each.benchmark;
    if (!is_own_program(record->planned)) name += ", " + record->planned.implementation;
    Scaled& scaled = all[name];
    scaled.metric = each.metric;
    scaled.by_nodes[record->planned.nodes].push_back(*each.measured);
  }
  for (const auto& [name, scaled] : all) {
    const auto& [fewest, values] = *scaled.by_nodes.begin();
    const double least = median(values);
    const auto worse = std::find_if(scaled.by_nodes.rbegin(), scaled.by_nodes.rend(),
                                    [&](const auto& each) { return median(each.second) < least; });
    if (worse == scaled.by_nodes.rend()) continue;
    found.push_back(fmt::format("{}: {} nodes together gave {}, less than {} ({})", name, worse->first,
                                metric_text(scaled.metric, median(worse->second)),
                                fewest == 1 ? "one node alone" : fmt::format("{} nodes", fewest),
                                metric_text(scaled.metric, least)));
  }
}

/// The result of a suite on the same nodes; null: there is none.
const SuiteResult* result_beside(const MeasuredCampaign& campaign, const Judgement& judgement,
                                 const MetricPair& pair, const MeasuredCase& record) {
  for (const SuiteResult& each : judgement.suite_results) {
    const MeasuredCase* other = each.suite == pair.suite && each.metric == pair.metric_below && each.measured
                                    ? campaign.case_with(each.case_id)
                                    : nullptr;
    if (other != nullptr && other->planned.nodes == record.planned.nodes && !other->planned.hosts.empty() &&
        other->planned.hosts == record.planned.hosts)
      return &each;
  }
  return nullptr;
}

void bound_alarm(const MeasuredCampaign& campaign, const Judgement& judgement,
                 std::vector<std::string>& found) {
  for (const SuiteFacts* facts : suites_in_order())
    for (const MetricPair& pair : facts->pairs) {
      std::vector<std::string> above;
      for (const SuiteResult& each : judgement.suite_results) {
        const MeasuredCase* record = campaign.case_with(each.case_id);
        if (pair.most <= 0 || each.suite != facts->id || each.metric != pair.metric || !each.measured ||
            record == nullptr)
          continue;
        const SuiteResult* bound = result_beside(campaign, judgement, pair, *record);
        const double below = bound == nullptr ? 0 : bound->measured.value_or(0);
        if (below > 0 && *each.measured > pair.most * below)
          above.push_back(fmt::format("{} and {} on {}", metric_text(each.metric, *each.measured),
                                      metric_text(bound->metric, below), record->planned.hosts));
      }
      if (!above.empty())
        found.push_back(
            fmt::format("{} gave more than {} on the same nodes, so that one of the two is wrong: {}",
                        suite_title(facts->id), suite_title(pair.suite), named_first(above)));
    }
}

/// Ratios to a reference that the reference alone does not explain.
void caution_alarm(const MeasuredCampaign& campaign, const Judgement& judgement,
                   std::vector<std::string>& found) {
  std::vector<std::string> above;
  for (const SuiteResult& each : judgement.suite_results)
    if (each.impossible)
      above.push_back(fmt::format("{} ({}): no ratio, {}",
                                  benchmark_title(campaign, each.case_id, each.suite), each.case_id,
                                  each.remark.substr(0, each.remark.find("; ratio withheld"))));
  if (!above.empty()) found.push_back(named_first(above));
}

void run_time_alarm(const MeasuredCampaign& campaign, const Judgement& judgement,
                    std::vector<std::string>& found) {
  int late = 0;
  double worst = 0;
  std::string named;
  for (const MeasuredCase& record : campaign.cases) {
    const Prediction* predicted = find_prediction(record.planned, "wall_time_s");
    if (predicted == nullptr || !is_useful(*predicted)) continue;
    const AttemptRecord* last = nullptr;
    for (const CountedResult& each : record.counted) {
      if (each.attempt == last || !each.attempt->set_aside.empty() || each.attempt->wall_s <= predicted->high)
        continue;
      last = each.attempt;
      ++late;
      if (last->wall_s / predicted->high <= worst) continue;
      worst = last->wall_s / predicted->high;
      std::string took = duration_text(last->wall_s);
      std::string at_most = duration_text(predicted->high);
      if (took == at_most) {  // as minutes and seconds
        took = fmt::format("{} s", number(last->wall_s, 4));
        at_most = fmt::format("{} s", number(predicted->high, 4));
      }
      named = fmt::format("{}, at most {} predicted ({})", took, at_most, record.planned.id);
    }
  }
  if (late > 0)
    found.push_back(fmt::format("{} of {} took longer than predicted, setting up included: {}{}", late,
                                plural(judgement.tally.runs, "run"), late > 1 ? "at worst " : "", named));
}

/// "; repeats beyond the limit of 30.00 GFLOP/s: cn001 24.43 GFLOP/s": first runs are judged, so that these
/// fail no criterion. Empty: there are none.
std::string repeats_beyond_limit(const Judgement& judgement, const NodeScreen& screen,
                                 const std::vector<const ScreenedNode*>& slow) {
  std::string text;
  for (const CriterionResult& each : judgement.criteria) {
    if (each.suite != screen.suite || each.metric != screen.metric || each.nodes.empty() || !each.limit)
      continue;
    std::vector<std::string> beyond;
    for (const ScreenedNode* node : slow)
      for (const double value : node->repeats)
        if (each.direction == Direction::at_least ? value < *each.limit : value > *each.limit)
          beyond.push_back(node->node + " " + metric_text(screen.metric, value));
    if (!beyond.empty())
      text += fmt::format("; repeats beyond the limit of {}: {}", metric_text(screen.metric, *each.limit),
                          named_first(beyond));
  }
  return text;
}

/// Nodes whose repeats confirm that they are slower than their peers, and that fail no criterion all the
/// same.
void slow_node_alarm(const Judgement& judgement, std::vector<std::string>& found) {
  for (const NodeScreen& screen : judgement.node_screens) {
    std::vector<const ScreenedNode*> slow = screen.of(NodeFinding::confirmed);
    std::erase_if(slow, [&](const ScreenedNode* node) {
      return std::ranges::any_of(judgement.criteria, [&](const CriterionResult& each) {
        return std::ranges::any_of(each.nodes, [&](const NodeResult& judged) {
          return judged.node == node->node && judged.verdict == Verdict::fail;
        });
      });
    });
    if (!slow.empty())
      found.push_back(fmt::format("{} {} slow by {} {}, as repeats confirm, and {} no criterion: {}{}",
                                  plural(std::ssize(slow), "node"), slow.size() == 1 ? "is" : "are",
                                  suite_title(screen.suite), metric_title(screen.metric),
                                  slow.size() == 1 ? "fails" : "fail", shortfalls(slow),
                                  repeats_beyond_limit(judgement, screen, slow)));
  }
}

/// Sets of runs that can't have run one after the other on the same nodes, those of a suite in one sentence.
void overlap_alarm(const CampaignRecord& campaign, std::vector<std::string>& found) {
  std::map<std::string, std::vector<std::string>> suites;
  for (const SetScore& set : campaign.set_scores)
    if (!set.overlap.empty()) suites[suite_title(set.suite)].push_back(set.overlap);
  for (const auto& [suite, sets] : suites)
    found.push_back(fmt::format("{}: {}{}", suite, joined(sets, "; "), overlap_means));
}

/// Suites that ran and decide nothing, whatever they measured. Scheduled checks are judged by those before.
void unjudged_alarm(const MeasuredCampaign& campaign, const Judgement& judgement,
                    std::vector<std::string>& found) {
  if (judgement.criteria.empty() || campaign.record.kind == regression_kind) return;
  std::set<std::string_view> judged;
  for (const CriterionResult& each : judgement.criteria) {
    judged.insert(each.suite);
    if (const SuiteFacts* screen = screen_of(each.metric)) judged.insert(screen->id);
  }
  std::vector<std::string> titles;
  for (const MeasuredCase& each : campaign.cases)
    if (!each.attempts.empty() && judged.insert(each.planned.suite).second)
      titles.push_back(suite_title(each.planned.suite));
  if (!titles.empty()) found.push_back(fmt::format("no criterion judges {}", joined(titles, ", ")));
}

void disturbance_alarm(const MeasuredCampaign& campaign, const Judgement& judgement, const Criteria& limits,
                       std::vector<std::string>& found) {
  if (judgement.tally.disturbed > 1 && judgement.tally.disturbed == judgement.tally.runs)
    found.push_back(
        fmt::format("every run was disturbed, {} of {}", judgement.tally.disturbed, judgement.tally.runs));
  if (judgement.criteria.empty() || (limits.steal && !limits.load)) return;
  const Conditions* worst = nullptr;
  bool limited = false;
  for (const MeasuredCase& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      limited = limited || cores_for_others(record.planned, attempt, limits);
      if (attempt.conditions &&
          (worst == nullptr || attempt.conditions->foreign_cores > worst->foreign_cores))
        worst = &*attempt.conditions;
    }
  if (limited || worst == nullptr) return;
  found.push_back(fmt::format("{}: other processes used up to {:.2f} of {} cores during a run",
                              limits.load
                                  ? fmt::format("no run counts as disturbed by other processes, since the "
                                                "criteria allow them all cores ({})",
                                                limits.load->reason)
                                  : "the criteria state no limit for disturbances",
                              worst->foreign_cores, number(worst->cores, 0)));
}

/// A variable of whoever started the runs that names the processor to OpenBLAS: it then uses that one's
/// routines, which may be slower than its own choice.
void chosen_routines_alarm(const CampaignRecord& campaign, std::vector<std::string>& found) {
  std::map<std::string, std::vector<std::string>> nodes;
  for (const EnvironmentRecord& fact : campaign.environment)
    if (fact.name == "environment OPENBLAS_CORETYPE") nodes[fact.value].push_back(fact.node);
  for (const auto& [processor, hosts] : nodes)
    found.push_back(
        fmt::format("OPENBLAS_CORETYPE={} was set where the runs were started (on {}): OpenBLAS used that "
                    "processor's routines, which may be slower than its own choice",
                    processor, folded_hostlist(hosts)));
}

}  // namespace

std::string published_values(const std::vector<Comparison>& comparisons) {
  std::map<std::string, int> suites;
  for (const Comparison& each : comparisons) suites[each.suite] += each.published_log ? 1 : 0;
  std::vector<std::string> sentences;
  for (const auto& [suite, values] : suites)
    if (values > 0)
      sentences.push_back(fmt::format(
          "{}: these are the published logs themselves, or a copy: all {} values equal the published ones to "
          "the last digit, which is no second measurement and says nothing of another machine",
          suite_title(suite), values));
  return joined(sentences, "; ");
}

std::vector<std::string> alarms(const MeasuredCampaign& campaign, const Judgement& judgement,
                                const Criteria& limits) {
  std::vector<std::string> found;
  waiver_alarm(judgement, found);
  replacement_alarm(campaign, found);
  bound_alarm(campaign, judgement, found);
  caution_alarm(campaign, judgement, found);
  scaling_alarm(campaign, judgement, found);
  slow_node_alarm(judgement, found);
  run_time_alarm(campaign, judgement, found);
  overlap_alarm(campaign.record, found);
  chosen_routines_alarm(campaign.record, found);
  if (std::string copied = published_values(judgement.comparisons); !copied.empty())
    found.push_back(std::move(copied));
  unjudged_alarm(campaign, judgement, found);
  disturbance_alarm(campaign, judgement, limits, found);
  return found;
}

}  // namespace shakedown
