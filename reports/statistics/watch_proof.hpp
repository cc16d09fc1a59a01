#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/statistics/watch_judgement.hpp"

namespace shakedown {

/// What the fresh runs are set against.
struct WatchReference {
  std::vector<double> values;
  Moments control;
  double share = 1;  ///< of the significance that this comparison may use up
  std::string_view name;
};

/// What is to prove a loss.
struct LossProof {
  std::string of;  ///< "8 repeats"
  LossTest found;
  double level = 0;  ///< the p from which on it proves one
  bool sure = false;
};

/// The repeats of the newest check by themselves.
LossProof proof_of_repeats(const WatchJudgement& judgement, const WatchReference& reference, double level,
                           bool last);

/// The same where the runs of a check have so much in common that those of one tell of its day: the means of
/// the last 3 or 4 checks, at half of the level each, which must lie below by their own spread, too; or those
/// of one, where they prove as much as two days that don't know of each other would. Where nothing does, it
/// is the newest check that is told of.
LossProof proof_of_checks(const WatchJudgement& judgement, const WatchReference& reference, double level);

/// Checks that prove a loss where the runs of one are alike.
inline constexpr std::size_t checks_least = 3;

}  // namespace shakedown
