#include "reports/compare/node_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "orchestrator/core/units.hpp"
#include "reports/compare/metric_verdict.hpp"
#include "reports/statistics/before_after.hpp"
#include "reports/statistics/node_outliers.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// By how much a change is a loss; below 0 it is a gain.
double loss(double shift, Better better) {
  return better == Better::higher ? -shift : shift;
}

std::optional<DaySpread> days_of(const ChangeTerms& terms, std::span<const std::string> nodes) {
  return terms.days ? terms.days(nodes) : std::nullopt;
}

Result<std::vector<NodeChange>> changes(std::span<const NodeRuns> nodes, const ChangeTerms& of_each) {
  std::vector<NodeChange> found;
  found.reserve(nodes.size());
  for (const NodeRuns& node : nodes) {
    const double before = median(node.before);
    if (!(before > 0))
      return fail(
          "", fmt::format("the median before of {} is {}: no change in per cent of it", node.node, before),
          "compare rates or times, which lie above 0");
    NodeChange& change = found.emplace_back(NodeChange{node.node, median(node.after) / before - 1, {}});
    if (auto runs = before_after(node.before, node.after, of_each.better, of_each.limits,
                                 days_of(of_each, {&node.node, 1})))
      change.runs = *std::move(runs);
  }
  std::ranges::stable_sort(found, std::greater<>(),
                           [&](const NodeChange& each) { return loss(each.shift, of_each.better); });
  return found;
}

/// "n17 8.1 % slower".
std::string node_text(const NodeChange& node, const ChangeTerms& terms) {
  return fmt::format("{} {} {}", node.node, percent_text(std::abs(node.shift)), pace(node.shift, terms));
}

bool lost_by_own_runs(const NodeChange& node) {
  return node.runs && node.runs->change == ChangeFinding::worse;
}

/// Nodes out of line with the others.
struct OutOfLine {
  const NodeChange* open = nullptr;       ///< the worst that was not repeated
  const NodeChange* confirmed = nullptr;  ///< the worst whose repeats confirm it
  double again = 0;                       ///< by how much its repeats shifted, their median
};

/// How an open question of a node is settled.
std::string settled_by(const NodeRuns& node) {
  if (node.suspect) return "repeat it to confirm (shakedown resume --repeat-suspects)";
  return fmt::format(
      "no suspect of its own campaign that `shakedown resume --repeat-suspects` would run again; its own "
      "runs decide where both campaigns have more repetitions on it (n = {} and {})",
      node.before.size(), node.after.size());
}

OutOfLine out_of_line(const NodeComparison& found, const ChangeTerms& terms,
                      std::span<const NodeRuns> nodes) {
  const Better better = terms.better;
  const BeforeAfterLimits& limits = terms.limits;
  if (loss(found.nodes.front().shift, better) < limits.magnitude) return {};
  const auto rate = [&](double ratio) { return better == Better::higher ? ratio : 1 / ratio; };
  std::map<std::string_view, const NodeRuns*> by_name;
  for (const NodeRuns& node : nodes) by_name[node.node] = &node;
  std::vector<std::vector<double>> repeats;  // of each, as rates
  std::vector<NodeRate> rates;
  repeats.reserve(found.nodes.size());
  rates.reserve(found.nodes.size());
  for (const NodeChange& node : found.nodes) {
    const NodeRuns& runs = *by_name.at(node.node);
    const double before = median(runs.before);
    std::vector<double>& again = repeats.emplace_back();
    for (const double value : runs.repeats) again.push_back(rate(value / before));
    rates.push_back({.rate = rate(1 + node.shift), .repeats = again});
  }
  const auto screened =
      screened_nodes(rates, {.suspect_share = ScreenLimits().false_share, .magnitude = limits.magnitude});
  OutOfLine out;
  if (!screened) out.open = &found.nodes.front();  // a node without any rate can't be screened
  for (std::size_t i = 0; screened && i < screened->size(); ++i) {
    const NodeVerdict& verdict = (*screened)[i];
    if (verdict.confirmed && out.confirmed == nullptr) {
      out.confirmed = &found.nodes[i];
      const double ratio = median(repeats[i]);
      out.again = (better == Better::higher ? ratio : 1 / ratio) - 1;
    }
    if (verdict.suspect && repeats[i].empty() && out.open == nullptr) out.open = &found.nodes[i];
  }
  return out;
}

/// All nodes together.
void judge_together(NodeComparison& found, const BeforeAfter& paired, const ChangeTerms& terms,
                    std::span<const NodeRuns> nodes) {
  found.statistics = paired;
  found.change = paired.change;
  found.verdict =
      change_words({paired, terms, fmt::format("n = {} nodes, each before and after", found.nodes.size())});
  const NodeChange& worst = found.nodes.front();
  found.verdict += "; the worst: " + node_text(worst, terms);
  if (const auto lost = std::ranges::find_if(found.nodes, lost_by_own_runs); lost != found.nodes.end()) {
    found.verdict += fmt::format("; by its own runs lost: {}", node_text(*lost, terms));
    found.change = ChangeFinding::worse;
    return;
  }
  const OutOfLine out = out_of_line(found, terms, nodes);
  if (out.confirmed != nullptr) {
    found.verdict += fmt::format("; out of line with the others: {}, confirmed by its repeats: {} {}",
                                 node_text(*out.confirmed, terms), percent_text(std::abs(out.again)),
                                 pace(out.again, terms));
    found.change = ChangeFinding::worse;
  } else if (out.open != nullptr && found.change != ChangeFinding::worse) {
    found.verdict += fmt::format("; out of line with the others: {}: {}", out.open->node,
                                 settled_by(*std::ranges::find(nodes, out.open->node, &NodeRuns::node)));
    found.change = ChangeFinding::undecided;
  }
}

/// Each node by its own runs.
void judge_each(NodeComparison& found, const ChangeTerms& each, std::span<const NodeRuns> nodes) {
  const auto any = [&](ChangeFinding change) {
    return std::ranges::any_of(found.nodes, [&](const NodeChange& node) {
      return (node.runs ? node.runs->change : ChangeFinding::undecided) == change;
    });
  };
  found.change = ChangeFinding::same;
  for (const ChangeFinding change : {ChangeFinding::better, ChangeFinding::undecided, ChangeFinding::worse})
    if (any(change)) found.change = change;
  found.verdict = fmt::format("node by node, as {} are too few to be judged together", found.nodes.size());
  std::string_view separator = ": ";
  for (const NodeChange& change : found.nodes) {
    const NodeRuns& node = *std::ranges::find(nodes, change.node, &NodeRuns::node);
    const std::string sample = fmt::format("n = {} and {}", node.before.size(), node.after.size());
    found.verdict += fmt::format(
        "{}{}: {}", separator, change.node,
        change.runs ? change_words({*change.runs, each, sample})
                    : fmt::format("too few to decide: {}; {} {} between them", sample,
                                  percent_text(std::abs(change.shift)), pace(change.shift, each)));
    separator = "; ";
  }
}

}  // namespace

Result<NodeComparison> compared_nodes(std::span<const NodeRuns> nodes, const ChangeTerms& terms) {
  if (auto good = check_limits(terms.limits); !good) return failure_of(good);
  ChangeTerms each = terms;
  each.limits.significance /= static_cast<double>(std::max<std::size_t>(nodes.size(), 1));
  auto found = changes(nodes, each);
  if (!found) return failure_of(found);
  NodeComparison compared;
  compared.nodes = *std::move(found);
  std::vector<double> shares;
  std::vector<std::string> names;
  shares.reserve(compared.nodes.size());
  names.reserve(compared.nodes.size());
  for (const NodeChange& node : compared.nodes) {
    shares.push_back(node.shift);
    names.push_back(node.node);
  }
  const auto paired = paired_change(shares, terms.better, terms.limits, days_of(terms, names));
  if (!paired) return failure_of(paired);
  compared.shift = paired->shift;
  if (paired->can_be_sure)
    judge_together(compared, *paired, terms, nodes);
  else
    judge_each(compared, each, nodes);
  return compared;
}

}  // namespace shakedown
