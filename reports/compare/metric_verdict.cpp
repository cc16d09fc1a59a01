#include "reports/compare/metric_verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// What is compared, and what one value of it is.
struct Sample {
  std::vector<double> before;
  std::vector<double> after;
  std::string what;  ///< of each value, behind the counts: "", "nodes, the median of each"
};

std::vector<double> all_values(const std::vector<NodeValues>& side) {
  std::vector<double> values;
  for (const NodeValues& node : side) values.insert(values.end(), node.values.begin(), node.values.end());
  return values;
}

std::vector<double> medians(const std::vector<NodeValues>& side) {
  std::vector<double> values;
  values.reserve(side.size());
  for (const NodeValues& node : side) values.push_back(median(node.values));
  return values;
}

bool known(const std::vector<NodeValues>& side) {
  return std::ranges::none_of(side, [](const NodeValues& node) { return node.node.empty(); });
}

std::vector<NodeRuns> common(const std::vector<NodeValues>& before, const std::vector<NodeValues>& after) {
  std::vector<NodeRuns> both;
  std::map<std::string_view, const NodeValues*> fresh;
  for (const NodeValues& node : after) fresh[node.node] = &node;
  for (const NodeValues& node : before)
    if (const auto there = fresh.find(node.node); there != fresh.end())
      both.push_back(
          {node.node, node.values, there->second->values, there->second->repeats, there->second->suspect});
  return both;
}

void judge_values(MetricComparison& comparison, const Sample& sample, const ChangeTerms& terms,
                  std::span<const std::string> nodes) {
  const std::string n =
      fmt::format("n = {} and {}{}", sample.before.size(), sample.after.size(), sample.what);
  const auto found = before_after(sample.before, sample.after, terms.better, terms.limits,
                                  terms.days ? terms.days(nodes) : std::nullopt);
  comparison.median_before = median(sample.before);
  comparison.median_after = median(sample.after);
  if (*comparison.median_before > 0)
    comparison.shift = *comparison.median_after / *comparison.median_before - 1;
  comparison.change = ChangeVerdict::undecided;
  if (!found) {
    const bool few = sample.before.size() < 2 || sample.after.size() < 2;
    comparison.verdict = few ? fmt::format("too few to decide: {}", n) : found.error().what;
    return;
  }
  comparison.shift = found->shift;
  comparison.statistics = *found;
  comparison.change = change_verdict(found->change);
  comparison.verdict = change_words({*found, terms, n});
}

void judge_nodes(MetricComparison& comparison, const std::vector<NodeRuns>& nodes, const ChangeTerms& terms) {
  std::vector<double> before;
  std::vector<double> after;
  before.reserve(nodes.size());
  after.reserve(nodes.size());
  for (const NodeRuns& node : nodes) {
    before.push_back(median(node.before));
    after.push_back(median(node.after));
  }
  comparison.median_before = median(std::move(before));
  comparison.median_after = median(std::move(after));
  comparison.change = ChangeVerdict::undecided;
  auto found = compared_nodes(nodes, terms);
  if (!found) {
    comparison.verdict = found.error().what;
    return;
  }
  comparison.shift = found->shift;
  comparison.statistics = found->statistics;
  comparison.change = change_verdict(found->change);
  comparison.verdict = std::move(found->verdict);
  comparison.by_node = std::move(found->nodes);
}

/// "9 earlier days differ by 0.4 %", "26 earlier days, 4 of them 7 days apart or more, differ by 0.4 %".
std::string earlier_days_text(const DaySpread& spread) {
  const std::string some =
      spread.independent == spread.days
          ? ""
          : fmt::format(", {} of them {} days apart or more,", spread.independent, spread.apart);
  return fmt::format("{} earlier days{} differ by {}", spread.days, some, percent_text(spread.deviation));
}

}  // namespace

ChangeVerdict change_verdict(ChangeFinding change) {
  static constexpr std::array verdicts = {ChangeVerdict::undecided, ChangeVerdict::same, ChangeVerdict::worse,
                                          ChangeVerdict::better};
  return verdicts.at(static_cast<std::size_t>(change));
}

void judge_metric(MetricComparison& comparison, const std::vector<NodeValues>& before,
                  const std::vector<NodeValues>& after, const ChangeTerms& terms) {
  comparison.before = all_values(before);
  comparison.after = all_values(after);
  if (comparison.before.empty() || comparison.after.empty()) {
    comparison.verdict = fmt::format("no valid result {}", comparison.before.empty() ? "before" : "after");
    return;
  }
  if (!known(before) || !known(after))
    return judge_values(comparison, {comparison.before, comparison.after, ""}, terms, {});
  const std::vector<NodeRuns> both = common(before, after);
  if (both.empty()) {
    ChangeTerms of_nodes = terms;
    of_nodes.days = {};  // what days show of other nodes says nothing of how these differ
    return judge_values(
        comparison, {medians(before), medians(after), " nodes, others before than after, the median of each"},
        of_nodes, {});
  }
  comparison.before.clear();
  comparison.after.clear();
  for (const NodeRuns& node : both) {
    comparison.before.insert(comparison.before.end(), node.before.begin(), node.before.end());
    comparison.after.insert(comparison.after.end(), node.after.begin(), node.after.end());
  }
  if (both.size() > 1)
    judge_nodes(comparison, both, terms);
  else
    judge_values(comparison, {both.front().before, both.front().after, ""}, terms, {&both.front().node, 1});
  const std::size_t left = before.size() + after.size() - 2 * both.size();
  if (left > 0)
    comparison.verdict +=
        fmt::format("; {} of {}, {} more {} measured on one side only and not compared",
                    both.size() == 1 ? "this is" : "these are",
                    both.size() == 1 ? both.front().node : fmt::format("{} nodes", both.size()), left,
                    left == 1 ? "was" : "were");
}

std::string_view pace(double shift, const ChangeTerms& terms) {
  if (!terms.is_speed) return shift < 0 ? "lower" : "higher";
  return (shift < 0) == (terms.better == Better::higher) ? "slower" : "faster";
}

bool is_speed(std::string_view metric, std::string_view unit) {
  const std::string own = unit.empty() ? metric_unit(metric) : std::string(unit);
  return own.empty() ? metric.ends_with("_per_s_per_gpu") : own != "%";
}

std::string change_words(const ChangeContext& context) {
  const BeforeAfter& found = context.found;
  const BeforeAfterLimits& limits = context.terms.limits;
  const double counts = limits.magnitude;
  const int decimals = decimals_beside(std::array{found.shift, found.low, found.high}, counts);
  const auto share = [&](double value) { return percent_text(value, decimals); };
  const std::string size =
      fmt::format("{} {}", share(std::abs(found.shift)), pace(found.shift, context.terms));
  const std::string days = found.days ? ", " + earlier_days_text(*found.days) : "";
  const bool loss_only = found.change == ChangeFinding::worse && !found.can_be_sure;
  const std::string statistics =
      fmt::format("{} interval {} to {}, {}p = {:.2g}, {}{}", percent_text(found.coverage, 0),
                  share(found.low), share(found.high), loss_only ? "one-sided " : "",
                  loss_only ? found.p_loss : found.p, context.sample, days);
  const bool sure = found.p <= limits.significance;
  switch (found.change) {
    case ChangeFinding::worse:
    case ChangeFinding::better:
      return fmt::format("{}, more than {} ({})", size, found.days ? "noise" : "the noise within these days",
                         statistics);
    case ChangeFinding::same:
      return sure ? fmt::format("{}, which is sure and below the {} that counts ({})", size, share(counts),
                                statistics)
                  : fmt::format("no difference of {} or more{} ({})", share(counts),
                                found.days ? "" : " between these days", statistics);
    case ChangeFinding::undecided:
      break;
  }
  if (!found.can_be_sure)
    return fmt::format("too few to decide: {}; {} between them ({})", context.sample, size, statistics);
  if (sure)
    return fmt::format("{}, which is sure; whether it is the {} that counts is not ({})", size, share(counts),
                       statistics);
  return fmt::format("cannot be distinguished from noise: {}, and {} to {} is possible ({})", size,
                     share(found.low), share(found.high), statistics);
}

}  // namespace shakedown
