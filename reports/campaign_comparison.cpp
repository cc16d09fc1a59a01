#include "reports/campaign_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/change_words.hpp"
#include "reports/conditions.hpp"
#include "reports/display.hpp"
#include "reports/like_runs.hpp"
#include "reports/measurement.hpp"
#include "reports/statistics.hpp"

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

Standing standing_of(Change change) {
  switch (change) {
    case Change::worse:
      return Standing::worse;
    case Change::better:
      return Standing::better;
    case Change::same:
      return Standing::same;
    case Change::undecided:
      break;
  }
  return Standing::undecided;
}

void judge_figure(FigureComparison& figure, const BeforeAfterLimits& limits) {
  if (figure.before.empty() || figure.after.empty()) {
    figure.verdict = fmt::format("no valid result {}", figure.before.empty() ? "before" : "after");
    return;
  }
  figure.median_before = median(figure.before);
  figure.median_after = median(figure.after);
  if (*figure.median_before > 0) figure.shift = *figure.median_after / *figure.median_before - 1;
  const auto found = before_after(figure.before, figure.after, figure.better, limits);
  figure.standing = Standing::undecided;
  if (!found) {
    const bool few = figure.before.size() < 2 || figure.after.size() < 2;
    figure.verdict =
        few ? fmt::format("too few to tell: n = {} and {}", figure.before.size(), figure.after.size())
            : found.error().what;
    return;
  }
  figure.shift = found->shift;
  figure.statistics = *found;
  figure.standing = standing_of(found->change);
  figure.verdict = change_words({*found, limits, figure.better,
                                 fmt::format("n = {} and {}", figure.before.size(), figure.after.size())});
}

/// The conditions of a rule that don't hold between two cases, as sentences. `alike`: what neither side tells
/// is the same thing, as they were run by the same plan.
std::vector<std::string> broken_conditions(const ComparisonRule& rule, const LikeRuns& before,
                                           const LikeRuns& after, const Comparability& table, bool alike) {
  std::vector<std::string> broken;
  const auto take = [&](const std::string& name, const auto& holds) {
    const auto old = condition_of(name, before.campaign(), before.first(), table);
    const auto fresh = condition_of(name, after.campaign(), after.first(), table);
    if (!old || !fresh) {
      if (!alike) broken.push_back(fmt::format("{} not known {}", name, old ? "after" : "before"));
      return;
    }
    if (!holds(*old, *fresh))
      broken.push_back(
          fmt::format("{} before, {} after", condition_text(name, *old), bare_condition_text(name, *fresh)));
  };
  for (const std::string& name : rule.must_match)
    take(name, [&](const Value& a, const Value& b) { return same_condition(name, a, b); });
  for (const ConditionLimit& within : rule.within)
    take(within.condition, [&](const Value& a, const Value& b) {
      return std::abs(value_number(b) - value_number(a)) <= within.limit * std::abs(value_number(a));
    });
  for (const ConditionLimit& least : rule.at_least)
    if (!alike)
      take(least.condition, [&](const Value& a, const Value& b) {
        return value_number(a) >= least.limit && value_number(b) >= least.limit;
      });
  return broken;
}

/// Whether the table lets a metric be compared at all, as it is.
const ComparisonRule* absolute_rule(const Comparability& table, std::string_view suite,
                                    std::string_view metric) {
  const ComparisonRule* rule = table.criterion_rule(suite, metric);
  return rule == nullptr || rule->information() || !rule->never.empty() ? nullptr : rule;
}

FigureComparison compared(const Pair& pair, const LikeFigure& metric, const Comparability& table,
                          const BeforeAfterLimits& limits) {
  FigureComparison figure = blank(pair);
  figure.metric = metric.name;
  figure.unit = metric.unit;
  figure.better = metric.better;
  const ComparisonRule* rule = absolute_rule(table, figure.suite, figure.metric);
  figure.leading = rule != nullptr || metric.name == rate_metric(figure.suite);
  const std::string unlike = differing_shape(pair.before, pair.after);
  std::vector<std::string> against;
  if (rule != nullptr)
    against = broken_conditions(*rule, pair.before, pair.after, table, unlike.empty());
  else if (!unlike.empty())
    against.push_back(unlike);
  if (!against.empty()) {
    figure.verdict = "not compared: " + joined(against, "; ");
    return figure;
  }
  figure.note = unlike;
  figure.before = values_of(pair.before, metric);
  figure.after = values_of(pair.after, metric);
  judge_figure(figure, limits);
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
  pair_up([](const LikeRuns& a, const LikeRuns& b) { return differing_shape(a, b).empty(); });
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

std::optional<Better> direction_of(std::string_view metric, std::string_view unit) {
  const std::string named = unit.empty() ? metric_unit(metric) : std::string(unit);
  if (named == "s" || named == "min") return Better::lower;
  static constexpr std::array<std::string_view, 7> rates = {"GFLOP/s", "GiB/s", "GB/s", "MB/s",
                                                            "/s",      "kIOPS", "IOPS"};
  if (std::ranges::find(rates, named) != rates.end() || metric == "score") return Better::higher;
  return std::nullopt;
}

std::vector<FigureComparison> campaign_comparison(const CampaignRecord& before, const CampaignRecord& after,
                                                  const Comparability& comparability,
                                                  const BeforeAfterLimits& limits) {
  const auto groups_before = like_runs(before);
  const auto groups_after = like_runs(after);
  std::vector<FigureComparison> figures;
  const Pairs pairs = paired(groups_before, groups_after);
  for (const Pair& pair : pairs.both) {
    std::vector<FigureComparison> of_pair;
    for (const LikeFigure& metric : figures_of(pair.before, pair.after))
      of_pair.push_back(compared(pair, metric, comparability, limits));
    // A suite that no rule names leads with all its rates.
    if (std::ranges::none_of(of_pair, &FigureComparison::leading))
      for (FigureComparison& figure : of_pair) figure.leading = figure.better == Better::higher;
    if (of_pair.empty()) {
      FigureComparison none = blank(pair);
      none.verdict = "not compared: neither has a figure";
      of_pair.push_back(std::move(none));
    }
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
