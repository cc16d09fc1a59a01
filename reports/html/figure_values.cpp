#include "reports/html/figure_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/plan/calibration.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {
namespace {

bool is_screened(const ReportInput& input, const SuiteResult& result) {
  return std::ranges::any_of(input.judgement.node_screens, [&](const NodeScreen& screen) {
    return screen.metric == result.metric && screen.suite == result.suite &&
           std::ranges::find(screen.nodes, result.case_id, &ScreenedNode::case_id) != screen.nodes.end();
  });
}

}  // namespace

std::vector<FigureValues> figure_values(const ReportInput& input, std::string_view suite) {
  std::vector<FigureValues> all;
  std::map<std::string, std::size_t> known;
  for (const SuiteResult& result : input.judgement.suite_results) {
    if (result.suite != suite || !result.measured || !result.mark.empty()) continue;
    const MeasuredCase* record = input.measured.case_with(result.case_id);
    if (record == nullptr || record->planned.nodes < 1 || record->planned.confirms) continue;
    const auto [at, fresh] = known.try_emplace(
        fmt::format("{} {} {}", record->planned.implementation, result.benchmark, result.metric), all.size());
    if (fresh)
      all.push_back({.title = fmt::format("{}{}{}", result.benchmark, result.benchmark.empty() ? "" : ", ",
                                          metric_title(result.metric)),
                     .benchmark = record->benchmark,
                     .metric = result.metric,
                     .by_nodes = {}});
    FigureValues& values = all[at->second];
    values.screened = values.screened || (record->planned.nodes == 1 && is_screened(input, result));
    std::vector<FigureValue>& points = values.by_nodes[record->planned.nodes];
    // Each result of a case is a point; a median of one is itself.
    const std::size_t before = points.size();
    for (const CountedResult& each : record->own)
      if (const Metric* metric = each.result->parsed.metric(result.metric))
        points.push_back({fmt::format("{}, attempt {}", result.case_id, each.attempt->index), metric->value});
    if (points.size() - before == 1) points.back().name = result.case_id;
    if (points.size() == before) points.push_back({result.case_id, *result.measured});
  }
  return all;
}

DotStrip beside_marks(const ReportInput& input, const FigureValues& values, int nodes) {
  DotStrip strip{.metric = values.metric, .points = {}, .limit = {}, .published = {}, .predicted = {}};
  for (const FigureValue& each : values.by_nodes.at(nodes)) strip.points.push_back(each.value);
  const auto is_here = [&](std::string_view case_id) {
    const MeasuredCase* record = input.measured.case_with(case_id);
    return record != nullptr && record->planned.nodes == nodes && record->benchmark == values.benchmark;
  };
  for (const MeasuredCase& each : input.measured.cases)
    if (const SetScore* set = score_of_case(input.campaign, each, values.metric);
        set != nullptr && !strip.score && is_here(each.planned.id))
      strip.score = set->score_min;
  for (const CriterionResult& each : input.judgement.criteria)
    if (each.metric == values.metric && each.limit && !strip.limit && is_here(each.case_id))
      strip.limit = each.limit;
  for (const Comparison& each : input.judgement.comparisons)
    if (each.metric == values.metric && each.comparable && each.baseline && !strip.published &&
        is_here(each.case_id))
      strip.published = each.baseline;
  for (const SuiteResult& each : input.judgement.suite_results)
    if (each.metric == values.metric && each.predicted && is_useful(*each.predicted) && !strip.predicted &&
        is_here(each.case_id) &&
        !is_peak_alone(*each.predicted, input.measured.case_with(each.case_id)->planned))
      strip.predicted = ValueRange{each.predicted->low, each.predicted->high};
  return strip;
}

}  // namespace shakedown
