#pragma once
#include <span>

#include "reports/statistics/sample.hpp"

namespace shakedown {

/// A loss of fresh runs against a control region, by Student's two-sample t.
struct LossTest {
  double loss = 0;     ///< difference of logarithms
  double error = 0;    ///< standard error of that
  double freedom = 1;  ///< degrees of it
  double p = 1;        ///< one-sided, for a loss
};

/// Student's two-sample t, one-sided for a loss, of the mean of checks. The runs of one share `shared` of the
/// variance: theirs shows the rest alone, and their mean keeps that share however many they are.
LossTest loss_test(const Moments& control, std::span<const Moments> checks, double shared);

/// The same of independent runs.
LossTest loss_test(const Moments& control, const Moments& fresh);

/// Whether the fresh runs lie below `centre` by their own spread, too: a single slow one among them does not
/// stand for the machine.
bool agree(const Moments& fresh, double centre, double level);

/// The same of ranks, which holds whatever the distribution is: Student's limits, so far out, lean on a
/// normal one. Where the values are too few for it and no more are to come (`last`), all of the fresh ones
/// must lie below all others.
bool below_by_ranks(std::span<const double> control, std::span<const double> fresh, double significance,
                    bool last);

}  // namespace shakedown
