#include "reports/deviations.hpp"

#include <algorithm>

#include "reports/display.hpp"
#include "reports/measurement.hpp"
#include "reports/screening.hpp"

namespace shakedown {
namespace {

std::string ending(const AttemptRecord& attempt) {
  std::string text(to_string(attempt.state));
  std::replace(text.begin(), text.end(), '_', ' ');
  if (attempt.signal)
    text += fmt::format(" by signal {}", *attempt.signal);
  else if (attempt.exit_code && *attempt.exit_code != 0)
    text += fmt::format(" with exit code {}", *attempt.exit_code);
  return attempt.failure.empty() ? text : fmt::format("{}: {}", text, attempt.failure);
}

void of_attempts(const CaseRecord& record, std::vector<std::string>& found) {
  const bool parsed = !record.planned.parser.empty();
  for (const AttemptRecord& attempt : record.attempts) {
    const bool ended = attempt.state == AttemptState::finished || attempt.state == AttemptState::imported;
    const bool clean = ended && attempt.failure.empty() && attempt.exit_code.value_or(0) == 0 &&
                       !attempt.signal && !(parsed && attempt.results.empty());
    if (clean) continue;
    const std::string kept = ended ? "" : "; it does not count";
    found.push_back(
        fmt::format("{}, attempt {} {}{}", record.planned.id, attempt.index, ending(attempt), kept));
  }
  if (record.attempts.empty()) found.push_back(fmt::format("{} was not run", record.planned.id));
}

/// The validity rules that a result breaks, with the reason of each.
std::string broken_rules(const ResultRecord& result) {
  std::string why;
  for (const RuleResult& rule : result.rules)
    if (rule.severity == Severity::validity && rule.status == RuleStatus::fail)
      why += fmt::format("{}{}: {}", why.empty() ? ": " : "; ", rule.id,
                         rule.text.empty() ? rule.value : rule.text);
  return why;
}

/// Results that prove nothing, or the opposite: whether a clause asks for them or not.
void of_results(const CampaignRecord& campaign, const CaseRecord& record, std::vector<std::string>& found) {
  for (const AttemptRecord& attempt : record.attempts)
    for (const ResultRecord& result : attempt.results) {
      const bool judged = result.validity != Validity::unknown || !result.rules.empty();
      if (!judged || result.validity == Validity::valid || !result.parsed.complete) continue;
      const bool only_short = valid_but_for_length(campaign, result);
      found.push_back(
          only_short ? fmt::format("{}: {}{}", record.planned.id, not_list_eligible, broken_rules(result))
                     : fmt::format("{}: a result is {}{}", record.planned.id, to_string(result.validity),
                                   broken_rules(result)));
    }
}

}  // namespace

std::vector<std::string> deviations(const CampaignRecord& campaign) {
  std::vector<std::string> found;
  if (campaign.state != CampaignState::finished)
    found.push_back(fmt::format("the campaign is not complete: {}", to_string(campaign.state)));
  if (is_external(campaign)) {
    found.emplace_back(
        "the logs were made elsewhere: plan, machine, environment, exit codes and how idle the machine was "
        "are not "
        "known");
  }
  for (const CaseRecord& record : campaign.cases) of_results(campaign, record, found);
  for (const CaseRecord& record : campaign.cases) of_attempts(record, found);
  for (const Refusal& refusal : campaign.refused)
    found.push_back(fmt::format("{}{} was refused by {}: {}", suite_title(refusal.suite),
                                refusal.benchmark.empty() ? "" : " " + refusal.benchmark, refusal.rule,
                                refusal.because));
  const bool reference =
      std::any_of(campaign.cases.begin(), campaign.cases.end(), [](const CaseRecord& record) {
        return record.planned.implementation == "reference" && !counted_results(record).empty();
      });
  if (reference) found.emplace_back(reference_notice);
  return found;
}

}  // namespace shakedown
