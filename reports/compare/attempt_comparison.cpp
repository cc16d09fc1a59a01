#include "reports/compare/attempt_comparison.hpp"
#include "reports/measure/attempts_needed.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

bool has_invalid(const AttemptRecord& attempt) {
  return std::ranges::any_of(attempt.results,
                             [](const auto& result) { return result.validity == Validity::invalid; });
}

Trials trials(const AttemptCounts& counts) {
  return {static_cast<std::size_t>(counts.succeeded), static_cast<std::size_t>(counts.started)};
}

/// "5 of 10 attempts succeeded after (95 % interval 23.7 % to 76.3 %; 4 failed, 1 invalid)".
std::string side_text(const AttemptCounts& counts, const Proportion& rate, std::string_view when,
                      double confidence) {
  std::string text =
      fmt::format("{} of {} attempt{} succeeded {} ({} interval {} to {}", counts.succeeded, counts.started,
                  counts.started == 1 ? "" : "s", when, percent_text(confidence, 0), percent_text(rate.low),
                  percent_text(rate.high));
  std::string_view separator = "; ";
  const auto add = [&](int count, std::string_view what) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", separator, count, what);
    separator = ", ";
  };
  add(counts.failed, "failed");
  add(counts.invalid, "invalid");
  add(counts.stopped, "stopped by hand");
  return text + ")";
}

ChangeFinding change_of(const AttemptComparison& found, const BeforeAfterLimits& limits) {
  const RateChange& rates = found.rates;
  if (found.before.lost() == 0 && found.after.lost() == 0) return ChangeFinding::same;
  if (rates.p <= limits.significance && std::abs(rates.difference) >= limits.magnitude)
    return rates.difference < 0 ? ChangeFinding::worse : ChangeFinding::better;
  return rates.low > -limits.magnitude && rates.high < limits.magnitude ? ChangeFinding::same
                                                                        : ChangeFinding::undecided;
}

std::string_view meaning(ChangeFinding change) {
  switch (change) {
    case ChangeFinding::worse:
    case ChangeFinding::better:
      return "more than chance";
    case ChangeFinding::same:
      return "no difference that counts";
    case ChangeFinding::undecided:
      break;
  }
  return "can't be told from chance, and the figures are only of those that succeeded";
}

}  // namespace

AttemptCounts attempt_counts(const LikeRuns& like) {
  AttemptCounts counts;
  for (const CaseRecord* record : like.cases)
    for (const AttemptRecord& attempt : record->attempts) {
      if (attempt.state == AttemptState::running || never_began(attempt)) continue;
      ++counts.started;
      ++(succeeded(like.campaign(), *record, attempt) ? counts.succeeded
         : stopped_by_hand(attempt)                   ? counts.stopped
         : has_invalid(attempt)                       ? counts.invalid
                                                      : counts.failed);
    }
  return counts;
}

std::optional<AttemptComparison> attempt_comparison(const LikeRuns& before, const LikeRuns& after,
                                                    const BeforeAfterLimits& limits) {
  AttemptComparison found{attempt_counts(before), attempt_counts(after), {}, ChangeFinding::undecided, ""};
  const double confidence = 1 - limits.significance;
  const auto rates = rate_change(trials(found.before), trials(found.after), confidence);
  if (!rates) return std::nullopt;
  found.rates = *rates;
  found.change = change_of(found, limits);
  found.verdict = fmt::format(
      "{}, {}: {} (Fisher's exact p = {:.2g})", side_text(found.before, rates->before, "before", confidence),
      side_text(found.after, rates->after, "after", confidence), meaning(found.change), rates->p);
  return found;
}

}  // namespace shakedown
