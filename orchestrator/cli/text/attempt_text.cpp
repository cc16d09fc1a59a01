#include "orchestrator/cli/text/attempt_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

/// The metric that represents the result.
const Metric* main_metric(const ParsedResult& parsed) {
  for (const std::string_view name : {"rmax_gflops", "fp64_gflops", "triad_mb_s", "rating_gflops", "score"})
    if (const Metric* metric = parsed.metric(name)) return metric;
  return parsed.metrics.empty() ? nullptr : &parsed.metrics.front();
}

bool invalidates(const RuleResult& rule) {
  return rule.severity == Severity::validity && rule.status == RuleStatus::fail;
}

/// Whether nothing is wrong but that it did not run long enough.
bool only_short(const ResultRecord& result) {
  CampaignRecord screening;
  screening.kind = "screening";
  return valid_but_for_length(screening, result);
}

std::string validity_text(const ResultRecord& result, const CampaignRecord& campaign) {
  const auto broken = std::ranges::find_if(result.rules, invalidates);
  if (result.validity != Validity::invalid || broken == result.rules.end())
    return std::string(to_string(result.validity));
  if (!only_short(result)) return fmt::format("invalid by {}", broken->id);
  return fmt::format("{}too short for the list ({})", is_screening(campaign) ? "" : "invalid, ", broken->id);
}

}  // namespace

std::string attempt_text(const AttemptRecord& attempt, const CampaignRecord& campaign) {
  std::string text;
  for (const ResultRecord& result : attempt.results) {
    const Metric* metric = main_metric(result.parsed);
    if (metric == nullptr || !result.parsed.complete) continue;
    if (!text.empty()) text += ", ";
    if (metric_unit(metric->name).empty()) text += metric_title(metric->name) + " ";
    text += metric_text(metric->name, metric->value);
    text += "  " + validity_text(result, campaign);
  }
  if (!attempt.failure.empty()) text += (text.empty() ? "" : "  ") + attempt.failure;
  if (text.empty())
    text = fmt::format("{}, exit code {}", to_string(attempt.state), attempt.exit_code.value_or(0));
  return text;
}

}  // namespace shakedown
