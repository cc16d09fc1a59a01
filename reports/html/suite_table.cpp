#include "reports/html/suite_table.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/prediction.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/other_cases.hpp"
#include "reports/measure/display.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// "Rmax", "gpt3, time to train".
std::string name_of_metric(const SuiteResult& figure) {
  std::string title = figure.metric.empty() ? "" : metric_title(figure.metric);
  if (figure.benchmark.empty()) return title;
  return title.empty() ? figure.benchmark : fmt::format("{}, {}", figure.benchmark, title);
}

/// "of 92.4 GFLOP/s measured GEMM (above 100 %: ...)"; empty for a value that no peak bounds.
std::string against(const SuiteResult& figure) {
  if (figure.efficiency_metric.empty() || !figure.measured) return "";
  if (figure.remark.empty()) return figure.basis;
  if (!figure.efficiency) return figure.remark;
  return fmt::format("{}; {}", figure.basis, figure.remark);
}

/// A predicted range, "82 to 100 GFLOP/s"; empty if it is no useful prediction.
std::string band(std::string_view metric, const Prediction& predicted) {
  return range_text(metric, predicted.low, predicted.high);
}

Fields row(const SuiteResult& figure) {
  const auto shown = [&](double value) { return metric_text(figure.metric, value); };
  std::optional<Prediction> predicted = figure.predicted;
  if (predicted && !no_useful_prediction(*predicted, nullptr).empty())
    predicted.reset();  // its case shows why
  std::string efficiency(empty_cell);
  if (figure.efficiency) efficiency = percent_text(*figure.efficiency);
  if (const EfficiencyFact* fact = efficiency_fact(figure.suite, figure.efficiency_metric);
      fact != nullptr && figure.efficiency && !fact->name.empty())
    efficiency = fmt::format("{} {}", fact->name, efficiency);
  return Fields()
      .text("suite", suite_title(figure.suite))
      .text("figure", name_of_metric(figure))
      .text("measured", figure.measured ? shown(*figure.measured) : figure.absent)
      .text("predicted", predicted ? shown(predicted->value) : std::string(empty_cell))
      .text_if("band", predicted ? band(figure.metric, *predicted) : "")
      .text("efficiency", efficiency)
      .text("against", against(figure));
}

/// The values of like nodes, one of each node, or of a case's repetitions as one row: their median, and the
/// least of them. Those that are missing are counted.
Fields shared_row(const std::vector<const SuiteResult*>& figures, bool repeated) {
  SuiteResult shared = *figures.front();
  std::vector<double> points;
  std::vector<double> efficiencies;
  double least = 0;
  std::string_view least_of;  // its case
  for (const SuiteResult* figure : figures) {
    if (figure->efficiency) efficiencies.push_back(*figure->efficiency);
    if (!figure->measured) continue;
    points.push_back(*figure->measured);
    if (points.size() > 1 && points.back() >= least) continue;
    least = points.back();
    least_of = figure->case_id;
  }
  std::string of = against(shared);
  shared.measured.reset();
  shared.efficiency.reset();
  const std::string_view noun = repeated ? "runs" : "nodes";
  std::string nodes = fmt::format("{}{} {}", repeated ? "" : "each of ", figures.size(), noun);
  if (!points.empty()) {
    shared.measured = median(points);
    if (!efficiencies.empty()) shared.efficiency = median(efficiencies);
    if (points.size() < figures.size())
      nodes = fmt::format("{} of {} {}", points.size(), figures.size(), noun);
    of = fmt::format("{}{}median; the least is {} ({})", of, of.empty() ? "" : "; ",
                     metric_text(shared.metric, least), least_of);
  }
  return row(shared).text("figure", fmt::format("{}, {}", name_of_metric(shared), nodes)).text("against", of);
}

}  // namespace

std::string too_short(std::span<const SuiteResult> figures) {
  std::string names;
  for (const SuiteResult& figure : figures) {
    if (figure.mark.empty()) continue;
    const std::string name = suite_title(figure.suite);
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

std::vector<Fields> suite_rows(std::span<const SuiteResult> figures, const CampaignRecord& campaign) {
  std::map<std::string_view, size_t> group_of;
  const std::vector<LikeNodes> groups = like_nodes(campaign);
  for (size_t g = 0; g < groups.size(); ++g)
    for (const size_t i : groups[g].cases) group_of[campaign.cases[i].planned.id] = g;
  std::map<std::pair<size_t, std::string_view>, std::vector<const SuiteResult*>>
      shared;  // by group and metric
  for (const SuiteResult& figure : figures)
    if (const auto it = group_of.find(figure.case_id); it != group_of.end())
      shared[{it->second, figure.metric}].push_back(&figure);
  std::vector<Fields> rows;
  for (const SuiteResult& figure : figures) {
    const auto it = group_of.find(figure.case_id);
    if (it == group_of.end()) {
      rows.push_back(row(figure));
    } else if (const auto& all = shared.at({it->second, figure.metric}); all.front() == &figure) {
      rows.push_back(all.size() > 1 ? shared_row(all, groups[it->second].repeated) : row(figure));
    }
  }
  return rows;
}

}  // namespace shakedown
