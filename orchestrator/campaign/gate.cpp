#include "orchestrator/campaign/gate.hpp"

#include <algorithm>

namespace shakedown {

std::string objection_to_next_stage(const AttemptRecord& attempt, const Case& planned) {
  if (attempt.state != AttemptState::finished)
    return fmt::format("attempt {} {}{}{}", attempt.index, to_string(attempt.state),
                       attempt.failure.empty() ? "" : ": ", attempt.failure);
  const auto invalid = std::ranges::find(attempt.results, Validity::invalid, &ResultRecord::validity);
  if (invalid != attempt.results.end()) {
    const auto broken = std::ranges::find_if(invalid->rules, [](const RuleResult& rule) {
      return rule.severity == Severity::validity && rule.status == RuleStatus::fail;
    });
    return broken == invalid->rules.end()
               ? "its result is invalid"
               : fmt::format("its result is invalid by {}: {}", broken->id, broken->text);
  }
  const bool complete =
      std::ranges::any_of(attempt.results, [](const ResultRecord& result) { return result.parsed.complete; });
  if (!planned.parser.empty() && !complete)
    return attempt.failure.empty() ? "it left no result" : attempt.failure;
  if (planned.parser.empty() && attempt.exit_code.value_or(0) != 0)
    return attempt.failure.empty() ? fmt::format("exit code {}", *attempt.exit_code) : attempt.failure;
  return "";
}

}  // namespace shakedown
