#include "reports/html/suite_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/other_cases.hpp"
#include "reports/html/page.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/set_score.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// "Rmax", "gpt3, time to train".
std::string name_of_metric(const SuiteResult& result) {
  std::string title = result.metric.empty() ? "" : metric_title(result.metric);
  if (result.benchmark.empty()) return title;
  return title.empty() ? result.benchmark : fmt::format("{}, {}", result.benchmark, title);
}

/// ", 10 nodes", ", cn017, repetition 2" of a run that was made for that node; empty of another one on one
/// node.
std::string on_nodes(const MeasuredCampaign& campaign, const SuiteResult& result) {
  const MeasuredCase* record = campaign.case_with(result.case_id);  // null: the suite was refused
  if (record == nullptr) return "";
  const Case& planned = record->planned;
  if (planned.nodes > 1 || (planned.nodes == 1 && is_external(campaign.record)))
    return ", " + plural(planned.nodes, "node");
  if (!planned.bound) return "";
  return fmt::format(", {}{}", planned.hosts,
                     planned.repetition > 1 ? fmt::format(", repetition {}", planned.repetition) : "");
}

/// ", attempt 2; attempt 1 was disturbed and does not count" of a case that was measured again; ", median of
/// 2 attempts" where several count; empty: its only attempt.
std::string on_attempts(const MeasuredCampaign& campaign, const SuiteResult& result) {
  const MeasuredCase* record = campaign.case_with(result.case_id);  // null: the suite was refused
  if (record == nullptr || is_external(campaign.record)) return "";
  std::vector<std::string> counting;
  std::vector<std::string> disturbed;
  for (const AttemptRecord& attempt : record->attempts) {
    const bool has_value = std::ranges::any_of(attempt.results, [&](const ResultRecord& each) {
      return each.parsed.metric(result.metric) != nullptr;
    });
    if (has_value)
      (attempt.set_aside.empty() ? counting : disturbed).push_back(std::to_string(attempt.index));
  }
  if (result.n > 1) return fmt::format(", median of {} results", result.n);
  if (disturbed.empty() || counting.empty()) return "";
  return fmt::format(", attempt {}; {} {} {} disturbed and {} not count", counting.back(),
                     disturbed.size() == 1 ? "attempt" : "attempts", enumerated(disturbed),
                     disturbed.size() == 1 ? "was" : "were", disturbed.size() == 1 ? "does" : "do");
}

/// ", unverified": what must stand beside the value; empty: nothing.
std::string mark_of(const MeasuredCampaign& campaign, const SuiteResult& result) {
  const MeasuredCase* record = campaign.case_with(result.case_id);  // null: the suite was refused
  const std::string_view mark = record == nullptr ? "" : unreviewed_mark(record->planned);
  return mark.empty() ? "" : fmt::format(", {}", mark);
}

/// "of 92.4 GFLOP/s measured GEMM (above 100 %: ...)"; empty for a value that no peak bounds.
std::string against(const SuiteResult& result) {
  if (result.efficiency_metric.empty() || !result.measured) return "";
  if (result.remark.empty()) return result.basis;
  if (!result.efficiency) return result.remark;
  return fmt::format("{}; {}", result.basis, result.remark);
}

/// A predicted range, "82 to 100 GFLOP/s"; empty if it is no useful prediction.
std::string band(std::string_view metric, const Prediction& predicted) {
  return range_text(metric, predicted.low, predicted.high);
}

Fields row(const SuiteResult& result, const MeasuredCampaign& campaign) {
  const auto shown = [&](double value) { return metric_text(result.metric, value); };
  std::optional<Prediction> predicted = result.predicted;
  if (predicted && !is_useful(*predicted)) predicted.reset();       // its case shows why
  const MeasuredCase* record = campaign.case_with(result.case_id);  // null: the suite was refused
  const bool first = predicted && record != nullptr && is_peak_alone(*predicted, record->planned);
  if (first) predicted.reset();
  std::string efficiency(empty_cell);
  if (result.efficiency) efficiency = percent_text(*result.efficiency);
  if (const EfficiencyFact* fact = efficiency_fact(result.suite, result.efficiency_metric);
      fact != nullptr && result.efficiency && !fact->name.empty())
    efficiency = fmt::format("{} {}", fact->name, efficiency);
  return Fields()
      .text("suite", benchmark_title(campaign, result.case_id, result.suite))
      .text("metric", name_of_metric(result) + on_nodes(campaign, result) + mark_of(campaign, result) +
                          on_attempts(campaign, result))
      .text("measured", result.measured ? shown(*result.measured) : result.absent)
      .text("predicted", predicted ? shown(predicted->value) : std::string(empty_cell))
      .text_if("band", predicted ? band(result.metric, *predicted)
                       : first   ? std::string(not_yet_predicted)
                                 : "")
      .text("efficiency", efficiency)
      .text("against", against(result));
}

/// The values of like nodes, one of each node, or of a case's repetitions as one row: their median, and the
/// least of them. Those that are missing are counted.
Fields shared_row(const LikeResults& like, const MeasuredCampaign& campaign) {
  const auto& results = like.results;
  SuiteResult shared = *results.front();
  std::vector<double> points;
  std::vector<double> efficiencies;
  double least = 0;
  std::string_view least_of;  // its case
  for (const SuiteResult* result : results) {
    if (result->efficiency) efficiencies.push_back(*result->efficiency);
    if (!result->measured) continue;
    points.push_back(*result->measured);
    if (points.size() > 1 && points.back() >= least) continue;
    least = points.back();
    least_of = result->case_id;
  }
  // The nodes whose ratio can't be one are not left out of a median: without them it would be another's.
  const auto impossible = std::ranges::count(results, true, &SuiteResult::impossible);
  if (impossible > 0) {
    shared.remark = (*std::ranges::find(results, true, &SuiteResult::impossible))->remark;
    if (impossible < std::ssize(results))
      shared.remark += fmt::format(" ({} of {})", impossible, results.size());
    shared.efficiency.reset();
    efficiencies.clear();
  }
  std::string of = against(shared);
  shared.measured.reset();
  shared.efficiency.reset();
  std::string nodes = fmt::format("{}{} {}", like.repeated ? "" : "each of ", results.size(),
                                  like.repeated ? "runs" : "nodes");
  if (!points.empty()) {
    shared.measured = median(points);
    if (!efficiencies.empty()) shared.efficiency = median(efficiencies);
    if (points.size() < results.size())
      nodes = like.repeated ? fmt::format("{} of {} runs: {} without a result", points.size(), results.size(),
                                          results.size() - points.size())
                            : fmt::format("each of {} of {} nodes: without {} (no result)", points.size(),
                                          results.size(), nodes_without_value(like, campaign));
    of = fmt::format("{}{}median; the least is {} ({})", of, of.empty() ? "" : "; ",
                     metric_text(shared.metric, least), least_of);
  }
  return row(shared, campaign)
      .text("metric", fmt::format("{}, {}{}", name_of_metric(shared), nodes, mark_of(campaign, shared)))
      .text("against", of);
}

/// The runs of a set as one row: their score.
Fields score_row(const MeasuredCase& record, const SetScore& set, SuiteResult shared,
                 const MeasuredCampaign& campaign) {
  shared.measured = set.score_min;
  shared.efficiency.reset();
  return row(shared, campaign)
      .text("metric", fmt::format("{}{}, {}", name_of_metric(shared), on_nodes(campaign, shared),
                                  score_words(record.planned, set)))
      .text("against", "");
}

}  // namespace

std::string too_short(std::span<const SuiteResult> results) {
  std::string names;
  for (const SuiteResult& result : results) {
    if (result.mark.empty()) continue;
    const std::string name = suite_title(result.suite);
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

std::vector<Fields> suite_rows(std::span<const SuiteResult> results, const MeasuredCampaign& campaign) {
  std::vector<Fields> rows;
  std::set<std::pair<const SetScore*, std::string_view>> scored;
  for (const LikeResults& like : like_results(results, campaign)) {
    LikeResults unscored{like.repeated, {}};
    for (const SuiteResult* result : like.results) {
      const MeasuredCase* record = campaign.case_with(result->case_id);  // null: the suite was refused
      const SetScore* score =
          record == nullptr ? nullptr : score_of_case(campaign.record, *record, result->metric);
      if (score == nullptr)
        unscored.results.push_back(result);
      else if (scored.emplace(score, result->metric).second)
        rows.push_back(score_row(*record, *score, *result, campaign));
    }
    if (unscored.results.size() == 1)
      rows.push_back(row(*unscored.results.front(), campaign));
    else if (!unscored.results.empty())
      rows.push_back(shared_row(unscored, campaign));
  }
  return rows;
}

std::vector<Fields> left_out_rows(const std::vector<CriterionResult>& left_out) {
  std::vector<std::pair<std::string, std::string>> ids;  // by suite
  for (const CriterionResult& each : left_out) {
    if (ids.empty() || ids.back().first != each.suite) ids.emplace_back(each.suite, "");
    ids.back().second += (ids.back().second.empty() ? "" : ", ") + each.id;
  }
  return rows_of(ids, [](const auto& of) {
    Fields row;
    row.text("suite", suite_title(of.first))
        .flag("advisory", false)
        .text_if("asks", "")
        .text("title", of.second)
        .text_if("advisory_why", "")
        .text_if("because", fmt::format("The campaign was not to measure {}", suite_title(of.first)))
        .list("nodes", {})
        .text_if("waived", "")
        .flag("bar", false)
        .text("word", "Left out");
    for (const char* cell : {"measured", "limit", "delta", "contract_value", "baseline", "accepted_value"})
      row.text(cell, std::string(empty_cell));
    return row.text("class", verdict_class(Verdict::not_run)).markup("icon", verdict_icon(Verdict::not_run));
  });
}

}  // namespace shakedown
