#include "reports/measure/attempts_needed.hpp"

#include <algorithm>
#include <set>

#include "reports/measure/measurement.hpp"

namespace shakedown {

namespace {

/// The attempts that left a result that counts.
std::set<const AttemptRecord*> counted_attempts(const CaseRecord& record) {
  std::set<const AttemptRecord*> counted;
  for (const CountedResult& each : counted_results(record)) counted.insert(each.attempt);
  return counted;
}

}  // namespace

bool ended_by_itself(const AttemptRecord& attempt) {
  return attempt.state == AttemptState::finished || attempt.state == AttemptState::imported;
}

bool never_began(const AttemptRecord& attempt) {
  return attempt.state == AttemptState::lost && attempt.started_s <= 0;
}

bool stopped_by_hand(const AttemptRecord& attempt) {
  if (attempt.state == AttemptState::lost) return attempt.failure_kind == FailureKind::cancelled;
  return attempt.state == AttemptState::interrupted &&
         attempt.failure_kind.value_or(FailureKind::cancelled) == FailureKind::cancelled;
}

std::vector<const AttemptRecord*> failed_attempts(const CaseRecord& record) {
  const auto counted = counted_attempts(record);
  const bool parsed = !record.planned.parser.empty();
  std::vector<const AttemptRecord*> failed;
  for (const AttemptRecord& attempt : record.attempts) {
    if (attempt.state == AttemptState::running || never_began(attempt) || stopped_by_hand(attempt)) continue;
    if (ended_by_itself(attempt) && (counted.contains(&attempt) || !parsed)) continue;
    failed.push_back(&attempt);
  }
  return failed;
}

int attempts_needed(const CaseRecord& record) {
  const auto failed = failed_attempts(record);
  const auto counted = counted_attempts(record);
  const bool any_good = std::ranges::any_of(counted, [&](const AttemptRecord* attempt) {
    return std::ranges::find(failed, attempt) == failed.end();
  });
  return static_cast<int>(failed.size()) + (any_good ? 1 : 0);
}

std::string ending(const AttemptRecord& attempt) {
  std::string text(to_string(attempt.state));
  std::replace(text.begin(), text.end(), '_', ' ');
  if (attempt.signal)
    text += fmt::format(" by signal {}", *attempt.signal);
  else if (attempt.exit_code && *attempt.exit_code != 0)
    text += fmt::format(" with exit code {}", *attempt.exit_code);
  return attempt.failure.empty() ? text : fmt::format("{}: {}", text, attempt.failure);
}

}  // namespace shakedown
