#pragma once
#include <optional>
#include <string>

#include "reports/measure/like_runs.hpp"
#include "reports/statistics/before_after.hpp"
#include "reports/statistics/rate_change.hpp"

namespace shakedown {

/// How the attempts at like runs ended. Every one that began counts, as in `reliability`.
struct AttemptCounts {
  int started = 0;
  int succeeded = 0;  ///< left a result that counts
  int failed = 0;     ///< without a result
  int invalid = 0;    ///< with one that breaks a rule
  int stopped = 0;    ///< by hand

  [[nodiscard]] int lost() const { return started - succeeded; }
};

AttemptCounts attempt_counts(const LikeRuns& like);

/// The attempts of two campaigns at the same thing.
struct AttemptComparison {
  AttemptCounts before;
  AttemptCounts after;
  RateChange rates;
  ChangeFinding change = ChangeFinding::undecided;
  std::string verdict;  ///< in words: "5 of 5 attempts succeeded before (...), 5 of 10 after (...): ..."
};

/// Whether as many attempts succeed as before. Same where none was lost on either side; else as
/// `before_after`, with the difference of the rates: worse or better by the magnitude and beyond chance, the
/// same where its interval refutes the magnitude, else undecided, since figures of those that were left say
/// nothing of the others. Nothing where a side began none.
std::optional<AttemptComparison> attempt_comparison(const LikeRuns& before, const LikeRuns& after,
                                                    const BeforeAfterLimits& limits);

}  // namespace shakedown
