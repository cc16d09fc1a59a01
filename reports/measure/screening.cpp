#include "reports/measure/screening.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/plan/regression.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

bool is_open(RuleStatus status) {
  return status == RuleStatus::fail || status == RuleStatus::unknown;
}

}  // namespace

std::string correct_but_short(std::string_view suite) {
  return fmt::format("correct; too short to be an official {} result", suite_title(suite));
}

bool is_screening(const CampaignRecord& campaign) {
  return campaign.kind == "screening" || campaign.kind == regression_kind;
}

bool short_by_design(const CampaignRecord& campaign, const ResultRecord& result, const RuleResult& rule) {
  if (!is_screening(campaign) || !is_open(rule.status)) return false;
  const RunLengthRule* asks = run_length_rule(result.parsed.suite, rule.id);
  return asks != nullptr && (asks->only_length == nullptr || asks->only_length(result.parsed));
}

bool short_by_design(const CampaignRecord& campaign, const SetScore& set, const RuleResult& rule) {
  if (!is_screening(campaign) || !is_open(rule.status)) return false;
  const RunLengthRule* asks = run_length_rule(set.suite, rule.id);
  return asks != nullptr && asks->only_length == nullptr;
}

bool valid_but_for_length(const CampaignRecord& campaign, const ResultRecord& result) {
  if (result.validity != Validity::invalid || !result.parsed.complete) return false;
  bool any = false;
  const bool all = std::all_of(result.rules.begin(), result.rules.end(), [&](const RuleResult& rule) {
    if (rule.severity != Severity::validity || rule.status != RuleStatus::fail) return true;
    any = true;
    return short_by_design(campaign, result, rule);
  });
  return any && all;
}

}  // namespace shakedown
