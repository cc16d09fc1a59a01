#include "reports/measure/node_screen.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>

#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/store/run_shape.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/suite_metrics.hpp"
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

std::vector<std::string> names_of(const std::vector<const ScreenedNode*>& nodes) {
  std::vector<std::string> names;
  names.reserve(nodes.size());
  for (const ScreenedNode* each : nodes) names.push_back(each->node);
  return names;
}

/// The kinds of nodes, asked for each of thousands.
class Kinds {
 public:
  explicit Kinds(const Inventory& inventory) : inventory_(inventory) {
    for (const NodeGroup& group : inventory.groups) {
      const auto hosts = expanded_hostlist(group.hosts);
      if (!hosts || hosts->empty()) continue;
      const std::string kind = node_kind_text(inventory, hosts->front());
      for (const std::string& host : *hosts) kinds_[host] = kind;
    }
  }
  [[nodiscard]] std::string of(const std::string& node) const {
    const auto it = kinds_.find(node);
    return it == kinds_.end() ? node_kind_text(inventory_, node) : it->second;
  }

 private:
  const Inventory& inventory_;
  std::map<std::string, std::string> kinds_;
};

/// The one node of a hostlist; nothing where it names none, or several.
std::optional<std::string> only_host(const std::string& hostlist) {
  const auto hosts = expanded_hostlist(hostlist);
  if (!hosts || hosts->size() != 1) return std::nullopt;
  return hosts->front();
}

Better better_of(std::string_view metric) {
  return direction_of(metric).value_or(Better::higher);
}

bool may_be_rate(double value) {
  return std::isfinite(value) && value > 0;
}

/// All values of the campaign's runs on one node each, by what makes them alike.
class Collection {
 public:
  explicit Collection(const MeasuredCampaign& campaign)
      : campaign_(campaign.record), kinds_(campaign.record.inventory) {
    for (const MeasuredCase& record : campaign.cases)
      if (record.planned.nodes == 1) add(record);
    for (const MeasuredCase* record : silent_) put_missing(record->planned);
  }
  std::vector<ScreenRuns> take() { return std::move(all_); }

 private:
  void add(const MeasuredCase& record) {
    const Case& planned = record.planned;
    bool any = false;
    for (const CountedResult& counted : record.own) {
      const ResultRecord& result = *counted.result;
      const auto node = only_host(counted.attempt->hosts.empty() ? planned.hosts : counted.attempt->hosts);
      if (!node || (!usable(result) && !valid_but_for_length(campaign_, result))) continue;
      for (const std::string_view metric : counting_metrics(planned.suite)) {
        const Metric* found = result.parsed.metric(metric);
        if (found == nullptr || !may_be_rate(found->value)) continue;
        ScreenRuns& runs = group(planned, *node, result.parsed.parameters, metric);
        runs.unruled = runs.unruled || result.validity == Validity::unknown;
        put(runs, *node, planned.id, found->value);
        any = true;
      }
    }
    if (!any) silent_.push_back(&record);
  }

  ScreenRuns& group(const Case& planned, const std::string& node, const std::vector<Parameter>& parsed,
                    std::string_view metric) {
    std::string parameters = shape_parameters(planned.parameters, parsed);
    std::string kind = kinds_.of(node);
    const auto [it, is_new] =
        groups_.emplace(Key{planned.suite, planned.implementation, parameters, kind, planned.ranks,
                            planned.threads_per_rank, std::string(metric)},
                        all_.size());
    if (is_new) {
      ScreenRuns& runs = all_.emplace_back();
      runs.screen.suite = planned.suite;
      runs.screen.implementation = planned.implementation;
      runs.screen.parameters = std::move(parameters);
      runs.screen.node_kind = std::move(kind);
      runs.screen.metric = metric;
      runs.screen.better = better_of(metric);
      runs.ranks = planned.ranks;
      runs.threads_per_rank = planned.threads_per_rank;
    }
    return all_[it->second];
  }

  static void put(ScreenRuns& runs, const std::string& node, const std::string& case_id, double value) {
    auto& nodes = runs.screen.nodes;
    const auto [it, is_new] = runs.places.emplace(node, nodes.size());
    if (is_new)
      nodes.push_back({.node = node, .case_id = case_id, .value = value});
    else
      nodes[it->second].repeats.push_back(value);
  }

  /// A case without a value belongs to the screens of what it was planned to be: where the plan states no
  /// parameters, whatever the logs of the others state.
  void put_missing(const Case& planned) {
    const auto node = only_host(planned.hosts);
    if (!node) return;
    const std::string parameters = shape_parameters(planned.parameters, {});
    const std::string kind = kinds_.of(*node);
    for (ScreenRuns& runs : all_) {
      NodeScreen& screen = runs.screen;
      const bool alike = screen.suite == planned.suite && screen.implementation == planned.implementation &&
                         (planned.parameters.empty() || screen.parameters == parameters) &&
                         screen.node_kind == kind && runs.ranks == planned.ranks &&
                         runs.threads_per_rank == planned.threads_per_rank;
      if (!alike || runs.places.contains(*node)) continue;
      if (std::ranges::find(screen.unmeasured, *node) == screen.unmeasured.end())
        screen.unmeasured.push_back(*node);
    }
  }

  using Key = std::tuple<std::string, std::string, std::string, std::string, int, int, std::string>;

  const CampaignRecord& campaign_;
  Kinds kinds_;
  std::map<Key, std::size_t> groups_;
  std::vector<ScreenRuns> all_;
  std::vector<const MeasuredCase*> silent_;  ///< of which nothing is known but the plan
};

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

std::vector<NodeScreen> node_screens(const MeasuredCampaign& campaign, const NodePast& past) {
  std::vector<NodeScreen> screens;
  for (ScreenRuns& runs : node_runs(campaign)) {
    if (runs.screen.nodes.size() < 2) continue;  // a node alone is beside nothing
    judge_nodes(runs.screen, past_ratios(runs, campaign.record, past));
    screens.push_back(std::move(runs.screen));
  }
  return screens;
}

bool may_be_repeated(const CampaignRecord& campaign) {
  return !is_external(campaign) && campaign.kind != regression_kind;
}

std::string without_nodes(const NodeScreen& screen) {
  return screen.unmeasured.empty()
             ? ""
             : fmt::format(" (without {}: no valid result)", folded_hostlist(screen.unmeasured));
}

std::string shortfalls(const std::vector<const ScreenedNode*>& nodes) {
  static constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, nodes.size()); ++i)
    text += fmt::format("{}{} {}{}", i == 0 ? "" : ", ", nodes[i]->node,
                        distance_text(nodes[i]->judged(), nodes[i]->expected),
                        nodes[i]->by_past ? " (beside its own past)" : "");
  if (nodes.size() > most) text += fmt::format(" and {} more", nodes.size() - most);
  return text;
}

std::vector<std::string> slow_node_sentences(const std::vector<NodeScreen>& screens) {
  std::vector<std::string> sentences;
  for (const NodeScreen& screen : screens) {
    const auto confirmed = screen.of(NodeFinding::confirmed);
    const auto suspects = screen.of(NodeFinding::suspect);
    if (confirmed.empty() && suspects.empty()) continue;
    std::string text = fmt::format("slow node{} among {}{} by {} {}, beside their median of {}",
                                   confirmed.size() + suspects.size() == 1 ? "" : "s", screen.nodes.size(),
                                   without_nodes(screen), suite_title(screen.suite),
                                   metric_title(screen.metric), metric_text(screen.metric, screen.median));
    if (!confirmed.empty()) text += fmt::format("; confirmed by repeats: {}", shortfalls(confirmed));
    if (!suspects.empty()) text += fmt::format("; suspect, to be repeated: {}", shortfalls(suspects));
    if (const auto cleared = screen.of(NodeFinding::cleared); !cleared.empty())
      text += fmt::format("; suspect at first, not by the median of repeats: {}",
                          folded_hostlist(names_of(cleared)));
    sentences.push_back(std::move(text));
  }
  return sentences;
}

std::vector<ScreenRuns> node_runs(const MeasuredCampaign& campaign) {
  return Collection(campaign).take();
}

PastRatios past_ratios(const ScreenRuns& runs, const CampaignRecord& campaign, const NodePast& past) {
  PastRatios ratios;
  if (past.series == nullptr) return ratios;
  std::map<std::string, double> since;  // by node: older runs no longer describe it
  for (const NodeEvent& event : past.events)
    if (event.at_s <= campaign.created_s) since[event.node] = std::max(since[event.node], event.at_s);
  std::map<std::string, PastRatios> days;  // by campaign, as rates
  const NodeScreen& screen = runs.screen;
  for (const MetricSeries& series : past.series->series) {
    if (series.suite != screen.suite || series.implementation != screen.implementation || series.nodes != 1 ||
        series.node_kind != screen.node_kind || series.parameters != screen.parameters ||
        series.metric != screen.metric || !series.unit.empty())
      continue;
    for (const SeriesPoint& point : series.points) {
      const SeriesRun& run = past.series->runs[point.run];
      const bool counts = run.complete && (run.validity == Validity::valid ||
                                           (runs.unruled && run.validity == Validity::unknown));
      if (!counts || run.campaign == campaign.id || run.at_s >= campaign.created_s) continue;
      if (!(point.value > 0)) continue;
      if (const auto it = since.find(run.hosts); it != since.end() && run.at_s < it->second) continue;
      days[run.campaign][run.hosts].push_back(screen.rate(point.value));
    }
  }
  for (const auto& [id, nodes] : days) {
    if (nodes.size() < fewest_screened) continue;  // too few to decide what that day's level was
    std::vector<double> rates;
    rates.reserve(nodes.size());
    for (const auto& [node, values] : nodes) rates.push_back(median(values));
    const double level = median(rates);
    for (const auto& [node, values] : nodes) ratios[node].push_back(median(values) / level);
  }
  return ratios;
}

}  // namespace shakedown
