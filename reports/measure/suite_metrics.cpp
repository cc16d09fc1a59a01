#include "reports/measure/suite_metrics.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string_view>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/run_state.hpp"
#include "reports/measure/screening.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

std::span<const Headline> headlines_of(std::string_view suite) {
  const SuiteFacts* facts = suite_facts(suite);
  return facts == nullptr ? std::span<const Headline>() : facts->headlines;
}

/// What is shown of a run that was too short for its suite's headlines; empty: those.
std::span<const Headline> short_headlines_of(std::string_view suite) {
  const SuiteFacts* facts = suite_facts(suite);
  return facts == nullptr ? std::span<const Headline>() : facts->short_headlines;
}

/// Why a ratio that is a share can exceed 1.
std::string_view above_one(std::string_view suite, std::string_view efficiency) {
  if (efficiency == "efficiency_rpeak")
    return "above 100 %: processors run above their base clock, so this peak is no bound";
  const EfficiencyFact* fact = efficiency_fact(suite, efficiency);
  if (fact != nullptr && !fact->above_one.empty()) return fact->above_one;
  const SuiteFacts* screen = screen_of(efficiency);
  return screen == nullptr || !screen->yardstick ? std::string_view() : screen->yardstick->above_one;
}

bool is_short(const CampaignRecord& campaign, const MeasuredCase& record) {
  return !record.own.empty() && std::ranges::all_of(record.own, [&](const CountedResult& counted) {
    return valid_but_for_length(campaign, *counted.result);
  });
}

/// Why a case has no value.
std::string why_absent(const CampaignRecord& campaign, const MeasuredCase& record) {
  if (!record.own.empty())
    if (std::string early = ended_without_target(*record.own.back().result); !early.empty()) return early;
  const RunState state = run_state(campaign, record);
  const bool is_good = state == RunState::valid || state == RunState::complete;
  return is_good ? "no value" : std::string(to_string(state));
}

/// Whether any result breaks a rule of run length.
bool any_short(const CampaignRecord& campaign, const MeasuredCase& record) {
  for (const CountedResult& counted : record.own)
    for (const RuleResult& rule : counted.result->rules)
      if (short_by_design(campaign, *counted.result, rule)) return true;
  return false;
}

void put_efficiency(SuiteResult& result, const MeasuredCampaign& campaign, const MeasuredCase& record,
                    const Comparability& comparability) {
  if (result.efficiency_metric.empty()) return;
  const Measurement measurement = measured(campaign, record, result.efficiency_metric, comparability);
  if (!measurement.missing.empty()) {
    if (!is_external(campaign.record))
      result.basis = measurement.missing;  // logs rarely bring their reference along
    return;
  }
  if (!measurement.withheld.empty()) {
    result.remark = measurement.withheld + "; ratio withheld";
    return;
  }
  std::vector<double> points;
  for (size_t i = 0; i < measurement.points.size(); ++i)
    if (const auto& results = measurement.attempts[i]->results;
        std::any_of(results.begin(), results.end(), [](const ResultRecord& each) { return usable(each); }))
      points.push_back(measurement.points[i]);
  if (points.empty()) return;
  result.efficiency = median(points);
  result.basis = measurement.basis;
  result.references = measurement.screens;
  if (const std::string why = impossible_ratio(result.efficiency_metric, result.suite, *result.efficiency);
      !why.empty()) {
    result.impossible = true;
    result.remark = why + "; ratio withheld";
    result.efficiency.reset();
    return;
  }
  if (!measurement.unproven.empty()) {
    result.remark = measurement.unproven + "; ratio withheld";
    result.efficiency.reset();
    return;
  }
  if (const std::string_view caution =
          caution_above_one(result.efficiency_metric, result.suite, *result.efficiency);
      !caution.empty()) {
    result.impossible = true;
    result.remark = fmt::format("{}; ratio withheld", caution);
    result.efficiency.reset();
    return;
  }
  if (*result.efficiency > 1) result.remark = above_one(result.suite, result.efficiency_metric);
}

SuiteResult metric_of(const Headline& headline, const MeasuredCampaign& campaign, const MeasuredCase& record,
                      const Comparability& comparability) {
  SuiteResult result;
  result.case_id = record.planned.id;
  result.suite = record.planned.suite;
  result.benchmark = record.benchmark;
  result.metric = headline.metric;
  result.efficiency_metric = headline.efficiency;
  std::vector<double> points;
  for (const CountedResult& counted : record.own) {
    const Metric* found = counted.result->parsed.metric(result.metric);
    if (found != nullptr &&
        (usable(*counted.result) || valid_but_for_length(campaign.record, *counted.result)))
      points.push_back(found->value);
  }
  result.n = static_cast<int>(points.size());
  if (const Prediction* predicted = find_prediction(record.planned, result.metric))
    result.predicted = *predicted;
  if (points.empty()) {
    result.absent = why_absent(campaign.record, record);
    return result;
  }
  result.measured = median(points);
  if (any_short(campaign.record, record)) result.mark = short_of_rules;
  put_efficiency(result, campaign, record, comparability);
  return result;
}

}  // namespace

bool is_peak_alone(const Prediction& predicted, const Case& planned) {
  return planned.model.source == "spec" && planned.model.points == 0 && predicted.high > 2 * predicted.low;
}

std::vector<std::string_view> counting_metrics(std::string_view suite) {
  std::vector<std::string_view> metrics;
  for (const auto& table : {headlines_of(suite), short_headlines_of(suite)})
    for (const Headline& headline : table) metrics.push_back(headline.metric);
  return metrics;
}

std::vector<SuiteResult> suite_results(const MeasuredCampaign& campaign, const Comparability& comparability) {
  std::vector<SuiteResult> results;
  for (const MeasuredCase& record : campaign.cases) {
    if (record.planned.confirms) continue;  // they are shown with their node
    const auto of_short = short_headlines_of(record.planned.suite);
    const bool is_too_short = !of_short.empty() && is_short(campaign.record, record);
    for (const Headline& headline : is_too_short ? of_short : headlines_of(record.planned.suite)) {
      SuiteResult result = metric_of(headline, campaign, record, comparability);
      if (headline.optional && !result.measured) continue;
      results.push_back(std::move(result));
    }
  }
  for (const Refusal& refusal : campaign.record.refused) {
    SuiteResult result;
    result.suite = refusal.suite;
    result.benchmark = refusal.benchmark;
    result.absent = "refused by " + refusal.rule;
    results.push_back(std::move(result));
  }
  return results;
}

std::string ended_without_target(const ResultRecord& result) {
  static constexpr std::string_view metric = "time_to_train_min";
  const Metric* time = result.parsed.metric(metric);
  if (time == nullptr) time = result.parsed.metric("ended_without_target_min");
  if (time == nullptr) return "";
  const std::string lasted = metric_text(metric, time->value);
  const Fact* status = result.parsed.fact("status");
  if (status != nullptr && status->value != "success") return fmt::format("aborted after {}", lasted);
  const bool missed = std::any_of(result.rules.begin(), result.rules.end(), [](const RuleResult& rule) {
    return rule.id == "ML-02" && rule.status == RuleStatus::fail;
  });
  return missed ? fmt::format("target missed after {}", lasted) : "";
}

}  // namespace shakedown
