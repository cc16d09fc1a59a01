#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/page.hpp"
#include "reports/html/plots.hpp"
#include "reports/measure/display.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// A drawing with what it shows.
Fields figure(const std::string& title, std::string_view caption, std::string plot) {
  Fields fields;
  return fields.text("title", title).text("caption", caption).markup("plot", std::move(plot));
}

/// The values of one metric by the number of nodes.
struct Measured {
  std::string title;
  std::string metric;
  std::map<int, std::vector<double>> by_nodes;
};

/// By suite, benchmark and metric, in the order of the results.
std::vector<Measured> measured_values(const ReportInput& input) {
  std::vector<Measured> all;
  std::map<std::string, std::size_t> known;
  for (const SuiteResult& result : input.judgement.suite_results) {
    if (!result.measured || !result.mark.empty()) continue;
    const auto record = std::ranges::find(input.measured.cases, result.case_id,
                                          [](const MeasuredCase& each) { return each.planned.id; });
    if (record == input.measured.cases.end() || record->planned.nodes < 1) continue;
    const auto [at, fresh] =
        known.try_emplace(fmt::format("{} {} {} {}", result.suite, record->planned.implementation,
                                      result.benchmark, result.metric),
                          all.size());
    if (fresh)
      all.push_back(
          {fmt::format("{}{}{}, {}", benchmark_title(record->planned), result.benchmark.empty() ? "" : " ",
                       result.benchmark, metric_title(result.metric)),
           result.metric,
           {}});
    std::vector<double>& points = all[at->second].by_nodes[record->planned.nodes];
    // Each result of a case is a point; a median of one is itself.
    std::vector<double> own;
    for (const CountedResult& each : record->own)
      if (const Metric* metric = each.result->parsed.metric(result.metric)) own.push_back(metric->value);
    if (own.size() > 1)
      points.insert(points.end(), own.begin(), own.end());
    else
      points.push_back(*result.measured);
  }
  return all;
}

std::optional<double> limit_of(const ReportInput& input, const std::string& metric, int nodes) {
  for (const CriterionResult& each : input.judgement.criteria) {
    if (each.metric != metric || !each.limit) continue;
    const auto record = std::ranges::find(input.measured.cases, each.case_id,
                                          [](const MeasuredCase& one) { return one.planned.id; });
    if (record != input.measured.cases.end() && record->planned.nodes == nodes) return each.limit;
  }
  return std::nullopt;
}

void add_values(const ReportInput& input, std::vector<Fields>& figures) {
  for (const Measured& each : measured_values(input)) {
    if (each.by_nodes.size() > 1 && direction_of(each.metric) == Better::higher) {
      std::vector<ScalePoint> points;
      points.reserve(each.by_nodes.size());
      for (const auto& [nodes, values] : each.by_nodes) points.push_back({nodes, median(values)});
      if (points.front().value > 0)
        figures.push_back(
            figure(each.title,
                   "over the number of nodes; in per cent of the rate of the fewest nodes, scaled (line)",
                   scaling_plot(points, each.metric)));
    }
    for (const auto& [nodes, values] : each.by_nodes)
      if (values.size() > 1)
        figures.push_back(figure(fmt::format("{} on {}", each.title, plural(nodes, "node")),
                                 fmt::format("{} results", values.size()),
                                 dot_strip({each.metric, values, limit_of(input, each.metric, nodes)})));
  }
}

/// The phases of a result by their units: the last result of the first case that has any.
void add_phases(const ReportInput& input, std::vector<Fields>& figures) {
  for (const MeasuredCase& each : input.measured.cases) {
    if (each.own.empty() || each.own.back().result->parsed.phases.empty()) continue;
    std::map<std::string, std::vector<Bar>> by_unit;
    const ParsedResult& result = each.own.back().result->parsed;
    for (const Phase& phase : result.phases) {
      if (!phase.scored) continue;
      const bool cached = std::ranges::any_of(
          result.facts, [&](const Fact& fact) { return fact.name == "cached" && fact.value == phase.name; });
      by_unit[phase.unit].push_back({phase.name, phase.value,
                                     fmt::format("{:.4g} {}{}", phase.value, phase.unit,
                                                 !phase.valid ? ", invalid"
                                                 : cached     ? ", from the cache"
                                                              : ""),
                                     !phase.valid || cached});
    }
    for (const auto& [unit, bars] : by_unit)
      figures.push_back(figure(fmt::format("{}, phases in {}", benchmark_title(each.planned), unit),
                               fmt::format("{}, last result", each.planned.id),
                               bar_chart(bars, fmt::format("phases in {}", unit))));
    return;
  }
}

std::vector<Fields> all_figures(const ReportInput& input) {
  std::vector<Fields> figures;
  add_values(input, figures);
  add_phases(input, figures);
  return figures;
}

Result<std::string> figures_section(const ReportInput& input) {
  std::vector<Fields> figures = all_figures(input);
  if (figures.empty()) return std::string();
  Fields section;
  section.list("suites", std::move(figures));
  return filled("figures.mustache", section);
}

std::vector<ContentsLine> figures_contents(const ReportInput& input) {
  if (all_figures(input).empty()) return {};
  return {{"figures", "Figures"}};
}

}  // namespace

namespace report_section {
extern const ReportSection figures;
const ReportSection figures = {.rank = 8, .contents = figures_contents, .html = figures_section};
}  // namespace report_section

}  // namespace shakedown
