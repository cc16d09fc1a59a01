#include "reports/measure/node_screen.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "orchestrator/plan/regression.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/node_runs.hpp"
#include "reports/statistics/node_outliers.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::size_t history_least = 3;  // campaigns, as `screened_nodes` asks for
constexpr double deviations_of_mad = 1.4826;

NodeFinding finding_of(const NodeVerdict& verdict, const ScreenedNode& node) {
  if (!verdict.suspect) return NodeFinding::sound;
  if (node.repeats.empty()) return NodeFinding::suspect;
  return verdict.confirmed ? NodeFinding::confirmed : NodeFinding::cleared;
}

/// From the strongest finding to the weakest.
constexpr std::array by_weight = {NodeFinding::confirmed, NodeFinding::suspect, NodeFinding::cleared,
                                  NodeFinding::sound};

std::ptrdiff_t weight(NodeFinding finding) {
  return std::ranges::find(by_weight, finding) - by_weight.begin();
}

/// Takes over the findings of one way of looking at the nodes, where they are stronger than those before.
void take(NodeScreen& screen, std::span<const NodeRate> rates, bool by_past) {
  const auto verdicts = screened_nodes(rates);
  if (!verdicts) {
    screen.unjudged = verdicts.error().what;
    return;
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (by_past && rates[i].before.size() < history_least) continue;
    ScreenedNode& node = screen.nodes[i];
    const NodeVerdict& verdict = (*verdicts)[i];
    const NodeFinding finding = finding_of(verdict, node);
    if (by_past && weight(finding) >= weight(node.finding)) continue;
    node.finding = finding;
    node.by_past = by_past;
    node.expected = screen.rate(verdict.expected);
    node.adjusted_p = verdict.adjusted_p;
  }
}

void judge_nodes(NodeScreen& screen, const PastRatios& before) {
  std::vector<double> firsts;
  firsts.reserve(screen.nodes.size());
  for (const ScreenedNode& node : screen.nodes) firsts.push_back(screen.rate(node.value));
  const double level = median(firsts);
  screen.median = screen.rate(level);
  screen.spread = deviations_of_mad * median_absolute_deviation(firsts) / level;
  if (screen.nodes.size() < fewest_screened) {
    screen.unjudged = fmt::format("{} nodes are too few to find a slow one: {} at least", screen.nodes.size(),
                                  fewest_screened);
    return;
  }
  std::vector<std::vector<double>> again;
  for (const ScreenedNode& node : screen.nodes) {
    auto& rates = again.emplace_back(node.repeats);
    for (double& value : rates) value = screen.rate(value);
  }
  std::vector<NodeRate> rates;
  rates.reserve(firsts.size());
  for (std::size_t i = 0; i < firsts.size(); ++i)
    rates.push_back({.rate = firsts[i], .before = {}, .repeats = again[i]});
  take(screen, rates, false);
  for (std::size_t i = 0; i < rates.size(); ++i)
    if (const auto it = before.find(screen.nodes[i].node); it != before.end()) {
      rates[i].before = it->second;
      screen.with_past += it->second.size() >= history_least ? 1 : 0;
    }
  if (screen.with_past > 0) take(screen, rates, true);
}

/// "cn17 −7.2 %", or "cn17 −3.1 % (beside its own past)"; of many the slowest.
std::string named(const std::vector<const ScreenedNode*>& nodes) {
  static constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, nodes.size()); ++i)
    text += fmt::format("{}{} {}{}", i == 0 ? "" : ", ", nodes[i]->node,
                        distance_text(nodes[i]->judged(), nodes[i]->expected),
                        nodes[i]->by_past ? " (beside its own past)" : "");
  if (nodes.size() > most) text += fmt::format(" and {} more", nodes.size() - most);
  return text;
}

}  // namespace

std::string_view to_string(NodeFinding finding) {
  static constexpr std::array<std::string_view, 4> words = {"sound", "suspect", "confirmed", "cleared"};
  return words.at(static_cast<std::size_t>(finding));
}

double NodeScreen::rate(double value) const {
  return better == Better::higher ? value : 1 / value;
}

double ScreenedNode::judged() const {
  return repeats.empty() ? value : median(repeats);
}

std::vector<const ScreenedNode*> NodeScreen::of(NodeFinding finding) const {
  std::vector<const ScreenedNode*> found;
  for (const ScreenedNode& node : nodes)
    if (node.finding == finding) found.push_back(&node);
  std::ranges::stable_sort(
      found, {}, [&](const ScreenedNode* node) { return rate(node->judged()) / rate(node->expected); });
  return found;
}

std::vector<NodeScreen> node_screens(const CampaignRecord& campaign, const NodePast& past) {
  std::vector<NodeScreen> screens;
  for (ScreenRuns& runs : node_runs(campaign)) {
    if (runs.screen.nodes.size() < 2) continue;  // a node alone is beside nothing
    judge_nodes(runs.screen, past_ratios(runs, campaign, past));
    screens.push_back(std::move(runs.screen));
  }
  return screens;
}

bool may_be_repeated(const CampaignRecord& campaign) {
  return !is_external(campaign) && campaign.kind != regression_kind;
}

std::vector<std::string> slow_node_sentences(const CampaignRecord& campaign,
                                             const std::vector<NodeScreen>& screens) {
  std::vector<std::string> sentences;
  for (const NodeScreen& screen : screens) {
    const auto confirmed = screen.of(NodeFinding::confirmed);
    const auto suspects = screen.of(NodeFinding::suspect);
    if (confirmed.empty() && suspects.empty()) continue;
    std::string text = fmt::format("slow node{} among {} by {} {}, beside their median of {}",
                                   confirmed.size() + suspects.size() == 1 ? "" : "s", screen.nodes.size(),
                                   suite_title(screen.suite), metric_title(screen.metric),
                                   metric_text(screen.metric, screen.median));
    if (!confirmed.empty()) text += fmt::format("; confirmed by repeats: {}", named(confirmed));
    if (!suspects.empty()) {
      text += fmt::format("; suspect, to be repeated: {}", named(suspects));
      if (may_be_repeated(campaign))
        text += fmt::format(", by `shakedown resume {} --repeat-suspects`", campaign.id);
    }
    sentences.push_back(std::move(text));
  }
  return sentences;
}

}  // namespace shakedown
