#include "reports/measure/suite_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/training.hpp"
#include "reports/statistics/median.hpp"

namespace shakedown {
namespace {

/// The figure of a suite that counts, and the efficiency that it is judged by.
struct Headline {
  std::string_view suite;
  std::string_view metric;
  std::string_view efficiency;
  bool optional = false;  ///< only shown where the log has it
};

constexpr std::array<Headline, 8> headlines = {{{"gemm", "fp64_gflops", "efficiency_rpeak"},
                                                {"gemm", "fp32_gflops", "", true},
                                                {"stream", "triad_mb_s", "efficiency_memory"},
                                                {"hpl", "rmax_gflops", "efficiency_gemm"},
                                                {"hpl-mxp", "rmax_gflops", "efficiency_gemm"},
                                                {"hpcg", "rating_gflops", "efficiency_stream"},
                                                {"io500", "score", ""},
                                                {"mlperf", "time_to_train_min", "efficiency_gemm"}}};

/// What is shown of an IO500 run that was too short to have a score: writing is the storage's own doing,
/// while reads may come from the client's memory.
constexpr std::array<Headline, 2> of_short_io500 = {
    {{"io500", "ior_easy_write_gib_s", ""}, {"io500", "mdtest_easy_write_kiops", ""}}};

/// Why a ratio that stands for a share can exceed 1.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> above_one = {
    {{"efficiency_gemm", "above 100 %: the run got more than the screen"},
     {"efficiency_rpeak", "above 100 %: clocks above base"},
     {"efficiency_stream", "above 100 %: the kernels read fewer bytes than HPCG counts"}}};

bool is_short_io500(const CampaignRecord& campaign, const CaseRecord& record) {
  const auto results = own_results(record);
  return record.planned.suite == "io500" && !results.empty() &&
         std::all_of(results.begin(), results.end(), [&](const CountedResult& counted) {
           return valid_but_for_length(campaign, *counted.result);
         });
}

std::string benchmark_shown(const Case& planned) {
  if (!planned.benchmark.empty()) return planned.benchmark;
  const Value* named = find_parameter(planned.parameters, "benchmark");
  return named == nullptr ? "" : value_text(*named);
}

/// Why a case has no figure.
std::string why_absent(const CaseRecord& record) {
  if (record.attempts.empty()) return "not run";
  const auto results = own_results(record);
  if (results.empty()) return "no result";
  const ResultRecord& last = *results.back().result;
  if (std::string early = ended_without_target(last); !early.empty()) return early;
  return last.validity == Validity::invalid ? "invalid" : "not known to be valid";
}

/// Whether any result breaks a rule of run length.
bool any_short(const CampaignRecord& campaign, const CaseRecord& record) {
  for (const CountedResult& counted : own_results(record))
    for (const RuleResult& rule : counted.result->rules)
      if (short_by_design(campaign, *counted.result, rule)) return true;
  return false;
}

void put_efficiency(SuiteFigure& figure, const CampaignRecord& campaign, const CaseRecord& record,
                    const Comparability& comparability) {
  if (figure.efficiency_metric.empty()) return;
  const Measurement measurement = measured(campaign, record, figure.efficiency_metric, comparability);
  if (!measurement.missing.empty()) {
    figure.basis = "not measured: " + measurement.missing;
    return;
  }
  std::vector<double> points;
  for (size_t i = 0; i < measurement.points.size(); ++i)
    if (const auto& results = measurement.attempts[i]->results;
        std::any_of(results.begin(), results.end(), [](const ResultRecord& each) { return usable(each); }))
      points.push_back(measurement.points[i]);
  if (points.empty()) return;
  figure.efficiency = median(points);
  figure.basis = measurement.basis;
  if (*figure.efficiency <= 1) return;
  for (const auto& [metric, remark] : above_one)
    if (metric == figure.efficiency_metric) figure.remark = remark;
}

SuiteFigure figure_of(const Headline& headline, const CampaignRecord& campaign, const CaseRecord& record,
                      const Comparability& comparability) {
  SuiteFigure figure;
  figure.case_id = record.planned.id;
  figure.suite = record.planned.suite;
  figure.benchmark = benchmark_shown(record.planned);
  figure.metric = headline.metric;
  figure.efficiency_metric = headline.efficiency;
  std::vector<double> points;
  for (const CountedResult& counted : own_results(record)) {
    const Metric* found = counted.result->parsed.metric(figure.metric);
    if (found != nullptr && (usable(*counted.result) || valid_but_for_length(campaign, *counted.result)))
      points.push_back(found->value);
  }
  figure.n = static_cast<int>(points.size());
  if (const Prediction* predicted = find_prediction(record.planned, figure.metric))
    figure.predicted = *predicted;
  if (points.empty()) {
    figure.absent = why_absent(record);
    return figure;
  }
  figure.measured = median(points);
  if (any_short(campaign, record)) figure.mark = not_list_eligible;
  put_efficiency(figure, campaign, record, comparability);
  return figure;
}

}  // namespace

std::vector<std::string_view> counting_metrics(std::string_view suite) {
  std::vector<std::string_view> metrics;
  for (const std::span<const Headline> table :
       {std::span<const Headline>(headlines), std::span<const Headline>(of_short_io500)})
    for (const Headline& headline : table)
      if (headline.suite == suite) metrics.push_back(headline.metric);
  return metrics;
}

std::vector<SuiteFigure> suite_figures(const CampaignRecord& campaign, const Comparability& comparability) {
  std::vector<SuiteFigure> figures;
  for (const CaseRecord& record : campaign.cases) {
    if (record.planned.confirms) continue;  // they stand with the node that they are of
    const bool short_io500 = is_short_io500(campaign, record);
    const std::span<const Headline> shown =
        short_io500 ? std::span<const Headline>(of_short_io500) : std::span<const Headline>(headlines);
    for (const Headline& headline : shown) {
      if (headline.suite != record.planned.suite) continue;
      SuiteFigure figure = figure_of(headline, campaign, record, comparability);
      if (headline.optional && !figure.measured) continue;
      figures.push_back(std::move(figure));
    }
  }
  for (const Refusal& refusal : campaign.refused) {
    SuiteFigure figure;
    figure.suite = refusal.suite;
    figure.benchmark = refusal.benchmark;
    figure.absent = "refused by " + refusal.rule;
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace shakedown
