#include "reports/compare/campaign_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/compare/day_history.hpp"
#include "reports/compare/metric_verdict.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/like_runs.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/node_screen.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

/// Like runs of both sides.
struct Pair {
  const LikeRuns& before;
  const LikeRuns& after;
};

/// What is set beside each other, and what has no counterpart.
struct Pairs {
  std::vector<Pair> both;
  std::vector<const LikeRuns*> only_before;
  std::vector<const LikeRuns*> only_after;
};

/// Why neither side has a value that may be compared: "both measured, but neither result is valid (IO5-02: 1
/// s instead of 300 s)".
std::string no_values_text(const Pair& pair) {
  const auto first_invalid = [](const LikeRuns& like) -> const ResultRecord* {
    for (const MeasuredCase* record : like.cases)
      for (const CountedResult& counted : record->own)
        if (counted.result->validity == Validity::invalid) return counted.result;
    return nullptr;
  };
  const auto any_usable = [](const LikeRuns& like) {
    return std::ranges::any_of(like.cases, [](const MeasuredCase* record) {
      return std::ranges::any_of(record->own, [](const auto& counted) { return usable(*counted.result); });
    });
  };
  const ResultRecord* before = first_invalid(pair.before);
  const ResultRecord* after = first_invalid(pair.after);
  if (before == nullptr || after == nullptr || any_usable(pair.before) || any_usable(pair.after))
    return "neither has a value";
  const auto broken_by = [](const ResultRecord& result) -> std::string {
    const auto broken = std::ranges::find_if(result.rules, [](const RuleResult& rule) {
      return rule.status == RuleStatus::fail && rule.severity == Severity::validity;
    });
    if (broken == result.rules.end()) return "no rule is named";
    return fmt::format("{}: {}", broken->id, broken->text.empty() ? broken->value : broken->text);
  };
  const std::string there = broken_by(*before);
  const std::string here = broken_by(*after);
  return fmt::format("both measured, but neither result is valid ({})",
                     there == here ? there : fmt::format("before {}; after {}", there, here));
}

MetricComparison blank(const LikeRuns& like) {
  MetricComparison comparison;
  comparison.suite = like.suite;
  comparison.implementation = like.implementation;
  comparison.benchmark = like.benchmark;
  comparison.nodes = like.nodes;
  return comparison;
}

MetricComparison blank(const Pair& pair) {
  MetricComparison comparison = blank(pair.after);
  comparison.before_case = pair.before.first().planned.id;
  comparison.after_case = pair.after.first().planned.id;
  return comparison;
}

/// Whether the table lets a metric be compared at all, as it is.
const ComparisonRule* absolute_rule(const Comparability& table, std::string_view suite,
                                    std::string_view metric) {
  const ComparisonRule* rule = table.criterion_rule(suite, metric);
  return rule == nullptr || rule->information() || !rule->never.empty() ? nullptr : rule;
}

/// Cases and nodes that a campaign suspects, and may run again.
using Suspects = std::set<std::pair<std::string, std::string>>;

Suspects suspects_of(const MeasuredCampaign& campaign) {
  Suspects suspects;
  if (!may_be_repeated(campaign.record)) return suspects;
  for (const NodeScreen& screen : node_screens(campaign))
    for (const ScreenedNode* node : screen.of(NodeFinding::suspect))
      suspects.emplace(node->case_id, node->node);
  return suspects;
}

/// The values after, with the suspects among the nodes marked.
std::vector<NodeValues> values_after(const LikeRuns& like, const LikeMetric& metric,
                                     const Suspects& suspects) {
  std::vector<NodeValues> values = values_of(like, metric);
  for (NodeValues& node : values)
    node.suspect = std::ranges::any_of(like.cases, [&](const MeasuredCase* record) {
      return suspects.contains({record->planned.id, node.node});
    });
  return values;
}

/// What two sides are compared by.
struct Terms {
  const Comparability& table;
  const BeforeAfterLimits& limits;
  PairConditions& conditions;
  const Suspects& suspects;  ///< of the campaign after
  const DayHistory& days;
};

MetricComparison compared(const Pair& pair, const LikeMetric& metric, const Terms& terms) {
  MetricComparison comparison = blank(pair);
  comparison.metric = metric.name;
  comparison.unit = metric.unit;
  comparison.better = metric.better;
  const ComparisonRule* rule = absolute_rule(terms.table, comparison.suite, comparison.metric);
  comparison.leading = rule != nullptr || metric.name == rate_metric(comparison.suite);
  const std::string unlike = differing_shape(pair.before, pair.after);
  std::vector<std::string> against;
  if (rule != nullptr)
    against = terms.conditions.broken(*rule);
  else if (!unlike.empty())
    against.push_back(unlike);
  if (!against.empty()) {
    comparison.verdict = "not compared: " + joined(against, "; ");
    return comparison;
  }
  comparison.note = unlike;
  judge_metric(comparison, values_of(pair.before, metric), values_after(pair.after, metric, terms.suspects),
               {.better = metric.better,
                .limits = terms.limits,
                .days = [&](std::span<const std::string> nodes) { return terms.days.spread(metric, nodes); },
                .is_speed = is_speed(metric.name, metric.unit)});
  return comparison;
}

/// How many attempts succeeded; nothing where a side began none.
std::optional<MetricComparison> attempts_compared(const Pair& pair, const BeforeAfterLimits& limits) {
  auto found = attempt_comparison(pair.before, pair.after, limits);
  if (!found) return std::nullopt;
  MetricComparison comparison = blank(pair);
  comparison.metric = attempts_metric;
  comparison.leading = found->before.lost() > 0 || found->after.lost() > 0;
  comparison.median_before = found->rates.before.rate;
  comparison.median_after = found->rates.after.rate;
  comparison.change = change_verdict(found->change);
  comparison.verdict = found->verdict;
  comparison.attempts = *std::move(found);
  return comparison;
}

/// What only one side ran.
MetricComparison alone(const LikeRuns& like, bool is_after) {
  MetricComparison comparison = blank(like);
  (is_after ? comparison.after_case : comparison.before_case) = like.first().planned.id;
  comparison.leading = true;
  comparison.verdict = fmt::format("not compared: nothing like it was run {}", is_after ? "before" : "after");
  return comparison;
}

/// First those that are alike in all, then the remaining ones of a suite, at the same number of nodes if any.
Pairs paired(const std::vector<LikeRuns>& before, const std::vector<LikeRuns>& after) {
  Pairs pairs;
  std::vector<const LikeRuns*>& left = pairs.only_before;
  std::vector<const LikeRuns*>& open = pairs.only_after;
  left.reserve(before.size());
  open.reserve(after.size());
  for (const LikeRuns& each : before) left.push_back(&each);
  for (const LikeRuns& each : after) open.push_back(&each);
  const auto pair_up = [&](const auto& fits) {
    std::erase_if(open, [&](const LikeRuns* like) {
      const auto found = std::ranges::find_if(left, [&](const LikeRuns* each) { return fits(*each, *like); });
      if (found == left.end()) return false;
      pairs.both.push_back({**found, *like});
      left.erase(found);
      return true;
    });
  };
  for (const bool same_kind : {true, false})
    pair_up([&](const LikeRuns& a, const LikeRuns& b) {
      return (!same_kind || a.node_kind == b.node_kind) && differing_shape(a, b).empty();
    });
  for (const bool same_size : {true, false})
    pair_up([&](const LikeRuns& a, const LikeRuns& b) {
      return a.suite == b.suite && a.benchmark == b.benchmark && (!same_size || a.nodes == b.nodes);
    });
  return pairs;
}

}  // namespace

std::string_view to_string(ChangeVerdict change) {
  static constexpr std::array<std::string_view, 5> words = {"worse", "better", "same", "undecided",
                                                            "not-compared"};
  return words.at(static_cast<std::size_t>(change));
}

std::vector<MetricComparison> campaign_comparison(const MeasuredCampaign& before,
                                                  const MeasuredCampaign& after,
                                                  const Comparability& comparability,
                                                  const BeforeAfterLimits& limits, const SystemSeries* past) {
  const auto groups_before = like_runs(before);
  const auto groups_after = like_runs(after);
  const Suspects suspects = suspects_of(after);
  std::vector<MetricComparison> comparisons;
  const Pairs pairs = paired(groups_before, groups_after);
  for (const Pair& pair : pairs.both) {
    std::vector<MetricComparison> of_pair;
    PairConditions conditions(pair.before, pair.after, comparability);
    const DayHistory days(past, pair.before, pair.after);
    const Terms terms{comparability, limits, conditions, suspects, days};
    for (const LikeMetric& metric : like_metrics(pair.before, pair.after))
      of_pair.push_back(compared(pair, metric, terms));
    // A suite that no rule names leads with all its rates.
    if (std::ranges::none_of(of_pair, &MetricComparison::leading))
      for (MetricComparison& comparison : of_pair) comparison.leading = comparison.better == Better::higher;
    if (of_pair.empty()) {
      MetricComparison none = blank(pair);
      none.leading = true;
      none.verdict = "not compared: " + no_values_text(pair);
      of_pair.push_back(std::move(none));
    }
    // Runs that are not alike: neither their values nor their losses can be compared.
    if (differing_shape(pair.before, pair.after).empty() ||
        std::ranges::any_of(of_pair,
                            [](const auto& each) { return each.change != ChangeVerdict::not_compared; }))
      if (auto attempts = attempts_compared(pair, limits)) of_pair.push_back(*std::move(attempts));
    std::ranges::move(of_pair, std::back_inserter(comparisons));
  }
  for (const LikeRuns* like : pairs.only_after) comparisons.push_back(alone(*like, true));
  for (const LikeRuns* like : pairs.only_before) comparisons.push_back(alone(*like, false));
  std::ranges::stable_sort(comparisons, {},
                           [](const MetricComparison& each) { return reported_place(each.suite); });
  return comparisons;
}

ChangeVerdict overall_change(const std::vector<MetricComparison>& metrics) {
  const auto any = [&](ChangeVerdict change) {
    return std::ranges::any_of(metrics, [&](const MetricComparison& comparison) {
      return comparison.leading && comparison.change == change;
    });
  };
  const bool lost = std::ranges::any_of(metrics, [](const MetricComparison& comparison) {
    return comparison.leading && comparison.change == ChangeVerdict::not_compared &&
           comparison.after.empty() && !comparison.before.empty();
  });
  if (any(ChangeVerdict::worse)) return ChangeVerdict::worse;
  if (lost) return ChangeVerdict::undecided;
  for (const ChangeVerdict change : {ChangeVerdict::undecided, ChangeVerdict::better, ChangeVerdict::same})
    if (any(change)) return change;
  return ChangeVerdict::not_compared;
}

namespace {

bool has_invalid(const AttemptRecord& attempt) {
  return std::ranges::any_of(attempt.results,
                             [](const auto& result) { return result.validity == Validity::invalid; });
}

Trials trials(const AttemptCounts& counts) {
  return {static_cast<std::size_t>(counts.succeeded), static_cast<std::size_t>(counts.started)};
}

/// "5 of 10 attempts succeeded after (95 % interval 23.7 % to 76.3 %; 4 failed, 1 invalid)".
std::string side_text(const AttemptCounts& counts, const Proportion& rate, std::string_view when,
                      double confidence) {
  std::string text =
      fmt::format("{} of {} attempt{} succeeded {} ({} interval {} to {}", counts.succeeded, counts.started,
                  counts.started == 1 ? "" : "s", when, percent_text(confidence, 0), percent_text(rate.low),
                  percent_text(rate.high));
  std::string_view separator = "; ";
  const auto add = [&](int count, std::string_view what) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", separator, count, what);
    separator = ", ";
  };
  add(counts.failed, "failed");
  add(counts.invalid, "invalid");
  add(counts.stopped, "stopped");
  return text + ")";
}

ChangeFinding change_of(const AttemptComparison& found, const BeforeAfterLimits& limits) {
  const RateChange& rates = found.rates;
  if (found.before.lost() == 0 && found.after.lost() == 0) return ChangeFinding::same;
  if (rates.p <= limits.significance && std::abs(rates.difference) >= limits.magnitude)
    return rates.difference < 0 ? ChangeFinding::worse : ChangeFinding::better;
  return rates.low > -limits.magnitude && rates.high < limits.magnitude ? ChangeFinding::same
                                                                        : ChangeFinding::undecided;
}

std::string_view meaning(ChangeFinding change) {
  switch (change) {
    case ChangeFinding::worse:
    case ChangeFinding::better:
      return "more than chance";
    case ChangeFinding::same:
      return "no difference that counts";
    case ChangeFinding::undecided:
      break;
  }
  return "cannot be distinguished from chance, and the values are those of the successful attempts only";
}

}  // namespace

AttemptCounts attempt_counts(const LikeRuns& like) {
  AttemptCounts counts;
  for (const MeasuredCase* record : like.cases)
    for (const AttemptRecord& attempt : record->attempts) {
      if (attempt.state == AttemptState::running || never_began(attempt)) continue;
      ++counts.started;
      ++(succeeded(like.campaign().record, *record, attempt) ? counts.succeeded
         : stopped_by_hand(attempt)                          ? counts.stopped
         : has_invalid(attempt)                              ? counts.invalid
                                                             : counts.failed);
    }
  return counts;
}

std::optional<AttemptComparison> attempt_comparison(const LikeRuns& before, const LikeRuns& after,
                                                    const BeforeAfterLimits& limits) {
  AttemptComparison found{attempt_counts(before), attempt_counts(after), {}, ChangeFinding::undecided, ""};
  const double confidence = 1 - limits.significance;
  const auto rates = rate_change(trials(found.before), trials(found.after), confidence);
  if (!rates) return std::nullopt;
  found.rates = *rates;
  found.change = change_of(found, limits);
  found.verdict = fmt::format(
      "{}, {}: {} (Fisher's exact p = {:.2g})", side_text(found.before, rates->before, "before", confidence),
      side_text(found.after, rates->after, "after", confidence), meaning(found.change), rates->p);
  return found;
}

PairConditions::Stated PairConditions::stated_by(const LikeRuns& side, const std::string& name) const {
  Stated stated;
  for (const MeasuredCase* record : side.cases) {
    if (std::ranges::none_of(record->own, [](const CountedResult& each) { return usable(*each.result); }))
      continue;
    const auto value = condition_of(name, side.campaign(), *record, table_);
    if (!value)
      stated.unknown = true;
    else if (std::ranges::none_of(stated.values,
                                  [&](const Value& known) { return same_condition(name, known, *value); }))
      stated.values.push_back(*value);
  }
  return stated;
}

const PairConditions::Both& PairConditions::stated(const std::string& name) {
  const auto known = stated_.find(name);
  if (known != stated_.end()) return known->second;
  return stated_.emplace(name, Both{stated_by(before_, name), stated_by(after_, name)}).first->second;
}

std::vector<std::string> PairConditions::broken(const ComparisonRule& rule) {
  std::vector<std::string> broken;
  const auto take = [&](const std::string& name, const auto& holds) {
    const auto& [before, after] = stated(name);
    const bool known_nowhere = before.values.empty() && after.values.empty();
    if (known_nowhere && alike_) return;
    if (before.unknown || after.unknown || known_nowhere) {
      const std::string of_some = before.values.empty() || after.values.empty() ? "" : " of all runs";
      const char* side = before.unknown && after.unknown ? "before and after"
                         : before.unknown                ? "before"
                                                         : "after";
      broken.push_back(fmt::format("{} not known{} {}", name, of_some, side));
      return;
    }
    for (const Value& old : before.values)
      for (const Value& fresh : after.values)
        if (!holds(old, fresh)) {
          broken.push_back(fmt::format("{} before, {} after", condition_text(name, old),
                                       bare_condition_text(name, fresh)));
          return;
        }
  };
  for (const std::string& name : rule.must_match)
    take(name, [&](const Value& a, const Value& b) { return same_condition(name, a, b); });
  for (const ConditionLimit& within : rule.within)
    take(within.condition, [&](const Value& a, const Value& b) {
      return std::abs(value_number(b) - value_number(a)) <= within.limit * std::abs(value_number(a));
    });
  // How large both are is no difference between runs of the same thing.
  for (const ConditionLimit& least : rule.at_least)
    if (!alike_)
      take(least.condition, [&](const Value& a, const Value& b) {
        return value_number(a) >= least.limit && value_number(b) >= least.limit;
      });
  return broken;
}

}  // namespace shakedown
