#include "reports/compare/campaign_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/compare/figure_verdict.hpp"
#include "reports/compare/pair_conditions.hpp"
#include "reports/measure/like_runs.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/node_screen.hpp"

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

FigureComparison blank(const LikeRuns& like) {
  FigureComparison figure;
  figure.suite = like.suite;
  figure.implementation = like.implementation;
  figure.benchmark = like.benchmark;
  figure.nodes = like.nodes;
  return figure;
}

FigureComparison blank(const Pair& pair) {
  FigureComparison figure = blank(pair.after);
  figure.before_case = pair.before.first().planned.id;
  figure.after_case = pair.after.first().planned.id;
  return figure;
}

/// Whether the table lets a metric be compared at all, as it is.
const ComparisonRule* absolute_rule(const Comparability& table, std::string_view suite,
                                    std::string_view metric) {
  const ComparisonRule* rule = table.criterion_rule(suite, metric);
  return rule == nullptr || rule->information() || !rule->never.empty() ? nullptr : rule;
}

/// Cases and nodes that a campaign suspects, and may run again.
using Suspects = std::set<std::pair<std::string, std::string>>;

Suspects suspects_of(const CampaignRecord& campaign) {
  Suspects suspects;
  if (!may_be_repeated(campaign)) return suspects;
  for (const NodeScreen& screen : node_screens(campaign))
    for (const ScreenedNode* node : screen.of(NodeFinding::suspect))
      suspects.emplace(node->case_id, node->node);
  return suspects;
}

/// The values after, with the suspects among the nodes marked.
std::vector<NodeValues> values_after(const LikeRuns& like, const LikeFigure& figure,
                                     const Suspects& suspects) {
  std::vector<NodeValues> values = values_of(like, figure);
  for (NodeValues& node : values)
    node.suspect = std::ranges::any_of(like.cases, [&](const CaseRecord* record) {
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
};

FigureComparison compared(const Pair& pair, const LikeFigure& metric, const Terms& terms) {
  FigureComparison figure = blank(pair);
  figure.metric = metric.name;
  figure.unit = metric.unit;
  figure.better = metric.better;
  const ComparisonRule* rule = absolute_rule(terms.table, figure.suite, figure.metric);
  figure.leading = rule != nullptr || metric.name == rate_metric(figure.suite);
  const std::string unlike = differing_shape(pair.before, pair.after);
  std::vector<std::string> against;
  if (rule != nullptr)
    against = terms.conditions.broken(*rule);
  else if (!unlike.empty())
    against.push_back(unlike);
  if (!against.empty()) {
    figure.verdict = "not compared: " + joined(against, "; ");
    return figure;
  }
  figure.note = unlike;
  judge_figure(figure, values_of(pair.before, metric), values_after(pair.after, metric, terms.suspects),
               terms.limits);
  return figure;
}

/// How many attempts succeeded; nothing where a side began none.
std::optional<FigureComparison> attempts_compared(const Pair& pair, const BeforeAfterLimits& limits) {
  auto found = attempt_comparison(pair.before, pair.after, limits);
  if (!found) return std::nullopt;
  FigureComparison figure = blank(pair);
  figure.metric = attempts_metric;
  figure.leading = found->before.lost() > 0 || found->after.lost() > 0;
  figure.median_before = found->rates.before.rate;
  figure.median_after = found->rates.after.rate;
  figure.standing = standing_of(found->change);
  figure.verdict = found->verdict;
  figure.attempts = *std::move(found);
  return figure;
}

/// What only one side ran.
FigureComparison alone(const LikeRuns& like, bool is_after) {
  FigureComparison figure = blank(like);
  (is_after ? figure.after_case : figure.before_case) = like.first().planned.id;
  figure.leading = true;
  figure.verdict = fmt::format("not compared: nothing like it was run {}", is_after ? "before" : "after");
  return figure;
}

/// First those that are alike in all, then those of a suite that are left, at the same number of nodes if
/// any.
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

std::string_view to_string(Standing standing) {
  static constexpr std::array<std::string_view, 5> words = {"worse", "better", "same", "undecided",
                                                            "not-compared"};
  return words.at(static_cast<std::size_t>(standing));
}

std::vector<FigureComparison> campaign_comparison(const CampaignRecord& before, const CampaignRecord& after,
                                                  const Comparability& comparability,
                                                  const BeforeAfterLimits& limits) {
  const auto groups_before = like_runs(before);
  const auto groups_after = like_runs(after);
  const Suspects suspects = suspects_of(after);
  std::vector<FigureComparison> figures;
  const Pairs pairs = paired(groups_before, groups_after);
  for (const Pair& pair : pairs.both) {
    std::vector<FigureComparison> of_pair;
    PairConditions conditions(pair.before, pair.after, comparability);
    const Terms terms{comparability, limits, conditions, suspects};
    for (const LikeFigure& metric : figures_of(pair.before, pair.after))
      of_pair.push_back(compared(pair, metric, terms));
    // A suite that no rule names leads with all its rates.
    if (std::ranges::none_of(of_pair, &FigureComparison::leading))
      for (FigureComparison& figure : of_pair) figure.leading = figure.better == Better::higher;
    if (of_pair.empty()) {
      FigureComparison none = blank(pair);
      none.leading = true;
      none.verdict = "not compared: neither has a figure";
      of_pair.push_back(std::move(none));
    }
    // Of runs that are not alike neither the figures nor the losses say anything of each other.
    if (differing_shape(pair.before, pair.after).empty() ||
        std::ranges::any_of(of_pair,
                            [](const auto& each) { return each.standing != Standing::not_compared; }))
      if (auto attempts = attempts_compared(pair, limits)) of_pair.push_back(*std::move(attempts));
    std::ranges::move(of_pair, std::back_inserter(figures));
  }
  for (const LikeRuns* like : pairs.only_after) figures.push_back(alone(*like, true));
  for (const LikeRuns* like : pairs.only_before) figures.push_back(alone(*like, false));
  return figures;
}

Standing overall_standing(const std::vector<FigureComparison>& figures) {
  const auto any = [&](Standing standing) {
    return std::ranges::any_of(figures, [&](const FigureComparison& figure) {
      return figure.leading && figure.standing == standing;
    });
  };
  const bool lost = std::ranges::any_of(figures, [](const FigureComparison& figure) {
    return figure.leading && figure.standing == Standing::not_compared && figure.after.empty() &&
           !figure.before.empty();
  });
  if (any(Standing::worse)) return Standing::worse;
  if (lost) return Standing::undecided;
  for (const Standing standing : {Standing::undecided, Standing::better, Standing::same})
    if (any(standing)) return standing;
  return Standing::not_compared;
}

}  // namespace shakedown
