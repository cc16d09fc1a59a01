#include "reports/measure/like_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/store/run_shape.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/machines.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {
namespace {

/// Parameters by name, without those that differ from run to run by design.
std::map<std::string, std::string> lasting(const std::vector<Parameter>& parameters) {
  std::map<std::string, std::string> values;
  for (const Parameter& each : parameters)
    if (!shape_parameters({each}, {}).empty()) values[each.name] = value_text(each.value);
  return values;
}

void put_parameters(LikeRuns& like, const MeasuredCase& record) {
  like.parameters_known = !record.planned.parameters.empty() || !record.own.empty();
  if (!like.parameters_known) return;
  like.parameters = record.planned.parameters.empty() ? record.own.front().result->parsed.parameters
                                                      : record.planned.parameters;
}

/// Calls `each` for every valid result of the group, with its case and attempt.
template <class Each>
void for_valid(const std::vector<const MeasuredCase*>& cases, const Each& each) {
  for (const MeasuredCase* record : cases)
    for (const CountedResult& counted : record->own)
      if (usable(*counted.result)) each(counted.result->parsed, *record, *counted.attempt);
}

/// The one node that an attempt ran on; empty: it is not known.
std::string node_of(const MeasuredCase& record, const AttemptRecord& attempt) {
  for (const std::string* list : {&attempt.hosts, &record.planned.hosts, &attempt.host})
    if (auto hosts = expanded_hostlist(*list); hosts && hosts->size() == 1) return hosts->front();
  return "";
}

std::optional<double> value_in(const ParsedResult& parsed, const LikeMetric& wanted) {
  if (wanted.unit.empty()) {
    const Metric* metric = parsed.metric(wanted.name);
    return metric != nullptr && std::isfinite(metric->value) ? std::optional(metric->value) : std::nullopt;
  }
  const auto phase = std::ranges::find(parsed.phases, wanted.name, &Phase::name);
  if (phase == parsed.phases.end() || !phase->valid || !std::isfinite(phase->value)) return std::nullopt;
  return phase->value;
}

}  // namespace

std::vector<LikeRuns> like_runs(const MeasuredCampaign& campaign) {
  std::vector<LikeRuns> groups;
  const bool several = !campaign.machines.empty();
  const auto add = [&](LikeRuns like, const MeasuredCase& record) {
    const auto known = std::ranges::find_if(groups, [&](const LikeRuns& each) {
      return each.node_kind == like.node_kind && differing_shape(each, like).empty();
    });
    LikeRuns& group = known == groups.end() ? groups.emplace_back(std::move(like)) : *known;
    (record.planned.confirms ? group.confirming : group.cases).push_back(&record);
  };
  std::vector<std::pair<LikeRuns, const MeasuredCase*>> left;  // of unknown parameters, or that repeat others
  for (const MeasuredCase& record : campaign.cases) {
    const Case& planned = record.planned;
    if (planned.parser.empty() && planned.origin.empty()) continue;  // it was to measure nothing
    LikeRuns like;
    like.suite = planned.suite;
    like.implementation = planned.implementation;
    like.benchmark = planned.benchmark;
    like.nodes = planned.nodes;
    like.ranks = planned.ranks;
    put_parameters(like, record);
    like.owner = &campaign;
    if (campaign.record.inventory.groups.size() > 1)
      like.node_kind = node_kind_text(campaign.record.inventory, planned.hosts);
    if (several)
      for (const auto& [what, value] : stated_machine(record))
        like.node_kind += fmt::format("{}{} {}", like.node_kind.empty() ? "" : ", ", what, value);
    if (like.parameters_known && !planned.confirms)
      add(std::move(like), record);
    else
      left.emplace_back(std::move(like), &record);
  }
  for (auto& [like, record] : left) add(std::move(like), *record);
  std::erase_if(groups, [](const LikeRuns& group) { return group.cases.empty(); });
  return groups;
}

std::string differing_shape(const LikeRuns& before, const LikeRuns& after) {
  std::vector<std::string> apart;
  const auto take = [&](std::string_view what, const auto& old, const auto& fresh) {
    if (old != fresh) apart.push_back(fmt::format("{} {} before, {} after", what, old, fresh));
  };
  take("suite", before.suite, after.suite);
  take("benchmark", before.benchmark, after.benchmark);
  take("implementation", before.implementation, after.implementation);
  take("nodes", before.nodes, after.nodes);
  take("ranks", before.ranks, after.ranks);
  if (!before.parameters_known || !after.parameters_known) return joined(apart, "; ");
  auto old = lasting(before.parameters);
  auto fresh = lasting(after.parameters);
  for (const auto& [name, value] : old) fresh.try_emplace(name, "none");
  for (const auto& [name, value] : fresh) take(name, old.try_emplace(name, "none").first->second, value);
  return joined(apart, "; ");
}

std::vector<LikeMetric> like_metrics(const LikeRuns& before, const LikeRuns& after) {
  std::vector<LikeMetric> metrics;
  const auto add = [&](const std::string& name, const std::string& unit) {
    const auto better = direction_of(name, unit);
    if (better && std::ranges::find(metrics, name, &LikeMetric::name) == metrics.end())
      metrics.push_back({name, unit, *better});
  };
  for (const LikeRuns* side : {&before, &after})
    for_valid(side->cases, [&](const ParsedResult& parsed, const MeasuredCase&, const AttemptRecord&) {
      for (const Metric& metric : parsed.metrics) add(metric.name, "");
      for (const Phase& phase : parsed.phases) add(phase.name, phase.unit);
    });
  return metrics;
}

std::vector<NodeValues> values_of(const LikeRuns& like, const LikeMetric& metric) {
  std::vector<NodeValues> found;
  std::map<std::string, std::size_t> places;
  NodeValues all;
  bool by_node = like.nodes == 1;
  for_valid(like.cases,
            [&](const ParsedResult& parsed, const MeasuredCase& record, const AttemptRecord& attempt) {
              const auto value = value_in(parsed, metric);
              if (!value) return;
              all.values.push_back(*value);
              if (!by_node) return;
              std::string node = node_of(record, attempt);
              by_node = !node.empty();
              const auto [place, fresh] = places.try_emplace(node, found.size());
              if (fresh) found.push_back({std::move(node), {}});
              found[place->second].values.push_back(*value);
            });
  if (all.values.empty()) return {};
  if (!by_node) return {std::move(all)};
  for_valid(like.confirming,
            [&](const ParsedResult& parsed, const MeasuredCase& record, const AttemptRecord& attempt) {
              const auto value = value_in(parsed, metric);
              const auto place = places.find(node_of(record, attempt));
              if (value && place != places.end()) found[place->second].repeats.push_back(*value);
            });
  return found;
}

}  // namespace shakedown
