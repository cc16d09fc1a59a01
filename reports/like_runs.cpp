#include "reports/like_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/store/run_shape.hpp"
#include "reports/campaign_comparison.hpp"
#include "reports/measurement.hpp"

namespace shakedown {
namespace {

/// Parameters by name, without those that differ from run to run by design.
std::map<std::string, std::string> lasting(const std::vector<Parameter>& parameters) {
  std::map<std::string, std::string> values;
  for (const Parameter& each : parameters)
    if (!shape_parameters({each}, {}).empty()) values[each.name] = value_text(each.value);
  return values;
}

std::vector<Parameter> parameters_of(const CaseRecord& record) {
  if (!record.planned.parameters.empty()) return record.planned.parameters;
  const auto results = own_results(record);
  return results.empty() ? std::vector<Parameter>() : results.front().result->parsed.parameters;
}

/// Calls `each` for every valid result of the group.
template <class Each>
void for_valid(const LikeRuns& like, const Each& each) {
  for (const CaseRecord* record : like.cases)
    for (const CountedResult& counted : own_results(*record))
      if (usable(*counted.result)) each(counted.result->parsed);
}

}  // namespace

std::vector<LikeRuns> like_runs(const CampaignRecord& campaign) {
  std::vector<LikeRuns> groups;
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    if (planned.parser.empty() && planned.origin.empty()) continue;  // it was to measure nothing
    if (planned.confirms) continue;  // chosen by what was measured: a slow node would count several times
    LikeRuns like;
    like.suite = planned.suite;
    like.implementation = planned.implementation;
    like.benchmark = planned.benchmark;
    like.nodes = planned.nodes;
    like.ranks = planned.ranks;
    like.parameters = parameters_of(record);
    like.owner = &campaign;
    const auto known = std::ranges::find_if(
        groups, [&](const LikeRuns& each) { return differing_shape(each, like).empty(); });
    LikeRuns& group = known == groups.end() ? groups.emplace_back(std::move(like)) : *known;
    group.cases.push_back(&record);
  }
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
  auto old = lasting(before.parameters);
  auto fresh = lasting(after.parameters);
  for (const auto& [name, value] : old) fresh.try_emplace(name, "none");
  for (const auto& [name, value] : fresh) take(name, old.try_emplace(name, "none").first->second, value);
  return joined(apart, "; ");
}

std::vector<LikeFigure> figures_of(const LikeRuns& before, const LikeRuns& after) {
  std::vector<LikeFigure> figures;
  const auto add = [&](const std::string& name, const std::string& unit) {
    const auto better = direction_of(name, unit);
    if (better && std::ranges::find(figures, name, &LikeFigure::name) == figures.end())
      figures.push_back({name, unit, *better});
  };
  for (const LikeRuns* side : {&before, &after})
    for_valid(*side, [&](const ParsedResult& parsed) {
      for (const Metric& metric : parsed.metrics) add(metric.name, "");
      for (const Phase& phase : parsed.phases) add(phase.name, phase.unit);
    });
  return figures;
}

std::vector<double> values_of(const LikeRuns& like, const LikeFigure& figure) {
  std::vector<double> values;
  for_valid(like, [&](const ParsedResult& parsed) {
    const Metric* metric = figure.unit.empty() ? parsed.metric(figure.name) : nullptr;
    const auto phase = std::ranges::find(parsed.phases, figure.name, &Phase::name);
    if (metric != nullptr && std::isfinite(metric->value)) values.push_back(metric->value);
    if (!figure.unit.empty() && phase != parsed.phases.end() && phase->valid && std::isfinite(phase->value))
      values.push_back(phase->value);
  });
  return values;
}

}  // namespace shakedown
