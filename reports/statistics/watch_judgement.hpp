#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/statistics/control_region.hpp"
#include "reports/statistics/sample.hpp"
#include "reports/statistics/watch.hpp"

namespace shakedown {

/// A loss of fresh runs against a control region, by Student's two-sample t.
struct LossTest {
  double loss = 0;     ///< difference of logarithms
  double error = 0;    ///< standard error of that
  double freedom = 1;  ///< degrees of it
  double p = 1;        ///< one-sided, for a loss
};

/// Student's two-sample t, one-sided for a loss, of the mean of checks. The runs of one share `shared` of the
/// variance: theirs shows the rest alone, and their mean has that share however many they are.
LossTest loss_test(const Moments& control, std::span<const Moments> checks, double shared);

/// The same of independent runs.
LossTest loss_test(const Moments& control, const Moments& fresh);

/// Whether the fresh runs lie below `centre` by their own spread, too: a single slow one among them is no
/// proof about the machine.
bool agree(const Moments& fresh, double centre, double level);

/// The same of ranks, which holds whatever the distribution is: Student's limits, so far out, lean on a
/// normal one. Where the values are too few for it and no more are to come (`last`), all of the fresh ones
/// must lie below all others.
bool below_by_ranks(std::span<const double> control, std::span<const double> fresh, double significance,
                    bool last);

/// The level at which fresh runs must lie below by their own spread.
inline constexpr double watch_agreement = 0.05;

/// A judgement in the making: what `watch` and its parts work on.
struct WatchJudgement {
  const WatchedSeries& series;
  const WatchLimits& limits;
  std::size_t offset = 0;                   ///< the value that the control region begins with
  std::vector<double> turned;               ///< logarithms since then; less is worse
  std::vector<std::vector<double>> checks;  ///< the same of the repeats of the last checks, the newest last
  ControlRegion region;
  Watched said;

  /// A difference of logarithms as a loss of the metric itself.
  [[nodiscard]] double share(double loss) const;
  /// Whether the runs of a check are so much alike that it takes several.
  [[nodiscard]] bool by_checks() const {
    return limits.parts.checks && series.by_checks && series.shared > 0;
  }
  [[nodiscard]] double least_loss() const { return watch_least_loss(series.better, limits.magnitude); }
  [[nodiscard]] double least_gain() const { return watch_least_gain(series.better, limits.magnitude); }
  /// "3.1 % below".
  [[nodiscard]] std::string place(double loss) const;
  /// "the control region of 24 runs (100.1)".
  [[nodiscard]] std::string control_text(std::string_view name) const {
    return control_text(name, region.control);
  }
  [[nodiscard]] std::string control_text(std::string_view name, const Moments& of) const;
  /// The values that the control region is made of.
  [[nodiscard]] std::vector<double> control() const;
  [[nodiscard]] LossInterval interval(const LossTest& comparison) const;
  /// The newest value, itself, against what it is expected to be.
  void put_newest();
  void put(const LossTest& comparison, std::string of);
};

/// Judges the alarm: `said` without the floor.
void judge_loss(WatchJudgement& judgement);

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

/// The same where the runs of a check have so much in common that those of one show its day: the means of the
/// last 3 or 4 checks, at half of the level each, which must lie below by their own spread, too; or those of
/// one, if they prove as much as two independent days would. If nothing does, the proof is of the newest
/// check.
LossProof proof_of_checks(const WatchJudgement& judgement, const WatchReference& reference, double level);

/// Checks that prove a loss where the runs of one are alike.
inline constexpr std::size_t checks_least = 3;

}  // namespace shakedown
