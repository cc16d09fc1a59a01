#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/compare_page.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_differing = 100;

/// What is known of a node that differs.
struct DifferingNode {
  std::string before;  ///< beside the other nodes of its campaign: "HPL Rmax −8.9 %: slow, confirmed"
  std::string after;
  const MetricComparison* metric = nullptr;  ///< in which it changed most for the worse; null: in none
  const NodeChange* change = nullptr;
  int rank = 2;      ///< 0: slow after; 1: slow before alone; 2: changed
  double worst = 0;  ///< its change, negative is worse
};

double gain_of(const MetricComparison& metric, const NodeChange& node) {
  return metric.better == Better::higher ? node.shift : -node.shift;
}

std::string finding_text(const NodeScreen& screen, const ScreenedNode& node) {
  return fmt::format(
      "{} {} {}: {}", suite_title(screen.suite), metric_title(screen.metric),
      distance_text(node.judged(), node.expected),
      node.finding == NodeFinding::confirmed ? "slow, confirmed" : "suspect, not repeated yet");
}

void add_screens(std::map<std::string, DifferingNode>& nodes, const Judgement& judgement, bool is_after) {
  for (const NodeScreen& screen : judgement.node_screens)
    for (const NodeFinding finding : {NodeFinding::confirmed, NodeFinding::suspect})
      for (const ScreenedNode* node : screen.of(finding)) {
        DifferingNode& entry = nodes[node->node];
        std::string& text = is_after ? entry.after : entry.before;
        text += (text.empty() ? "" : "; ") + finding_text(screen, *node);
        entry.rank = std::min(entry.rank, is_after ? 0 : 1);
      }
}

Fields differing_row(const std::string& name, const DifferingNode& node) {
  Fields row;
  row.text("node", name).text_if("before", node.before).text_if("after", node.after);
  if (node.change == nullptr) return row.flag("metric", false).text("shift", dash).text("interval", dash);
  const auto& runs = node.change->runs;
  return row
      .text("metric", fmt::format("{} {}", suite_title(node.metric->suite), compared_title(*node.metric)))
      .text("shift", shift_text(node.change->shift))
      .text("interval", runs ? fmt::format("{} to {}", shift_text(runs->low), shift_text(runs->high))
                             : std::string(dash));
}

}  // namespace

std::vector<Fields> differing_nodes(const std::vector<MetricComparison>& metrics, const Judgement* before,
                                    const Judgement& after) {
  std::map<std::string, DifferingNode> nodes;
  if (before != nullptr) add_screens(nodes, *before, false);
  add_screens(nodes, after, true);
  for (const MetricComparison& metric : metrics)
    for (const NodeChange& node : metric.by_node) {
      if (std::abs(node.shift) < BeforeAfterLimits{}.magnitude && !nodes.contains(node.node)) continue;
      DifferingNode& entry = nodes[node.node];
      const double gain = gain_of(metric, node);
      if (entry.change != nullptr && gain >= entry.worst) continue;
      entry.worst = gain;
      entry.metric = &metric;
      entry.change = &node;
    }
  std::vector<std::pair<std::string, DifferingNode>> order(nodes.begin(), nodes.end());
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
    return std::pair(a.second.rank, a.second.worst) < std::pair(b.second.rank, b.second.worst);
  });
  std::vector<Fields> rows;
  for (const auto& [name, node] : order)
    if (rows.size() < most_differing) rows.push_back(differing_row(name, node));
  return rows;
}

std::string nodes_of_one_side(const CampaignRecord& before, const CampaignRecord& after) {
  const auto old = nodes_of(before);
  const auto fresh = nodes_of(after);
  std::string text;
  const auto add = [&](std::string_view when, const std::set<std::string>& side,
                       const std::set<std::string>& other) {
    std::vector<std::string> alone;
    std::ranges::set_difference(side, other, std::back_inserter(alone));
    if (!alone.empty())
      text += fmt::format("{}Only {}: {}.", text.empty() ? "" : " ", when, folded_hostlist(alone));
  };
  add("before", old, fresh);
  add("after", fresh, old);
  return text;
}

}  // namespace shakedown
