#include "reports/measure/node_runs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/store/run_shape.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

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
  explicit Collection(const CampaignRecord& campaign) : campaign_(campaign), kinds_(campaign.inventory) {
    for (const CaseRecord& record : campaign.cases)
      if (record.planned.nodes == 1) add(record);
    for (const CaseRecord* record : silent_) put_missing(record->planned);
  }
  std::vector<ScreenRuns> take() { return std::move(all_); }

 private:
  void add(const CaseRecord& record) {
    const Case& planned = record.planned;
    bool any = false;
    for (const CountedResult& counted : own_results(record)) {
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
  std::vector<const CaseRecord*> silent_;  ///< of which nothing is known but the plan
};

}  // namespace

std::vector<ScreenRuns> node_runs(const CampaignRecord& campaign) {
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
