#include "reports/attempts_needed.hpp"

#include <algorithm>
#include <set>

#include "reports/measurement.hpp"

namespace shakedown {

std::vector<const AttemptRecord*> failed_attempts(const CaseRecord& record) {
  std::set<const AttemptRecord*> counted;
  for (const CountedResult& each : counted_results(record)) counted.insert(each.attempt);
  const bool parsed = !record.planned.parser.empty();
  std::vector<const AttemptRecord*> failed;
  for (const AttemptRecord& attempt : record.attempts) {
    const bool ended = attempt.state == AttemptState::finished || attempt.state == AttemptState::imported;
    const bool never_began = attempt.state == AttemptState::lost && attempt.started_s <= 0;
    if (attempt.state == AttemptState::running || attempt.state == AttemptState::interrupted || never_began ||
        counted.contains(&attempt) || (ended && !parsed))
      continue;
    failed.push_back(&attempt);
  }
  return failed;
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
