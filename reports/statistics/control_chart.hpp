#pragma once
#include <cstddef>
#include <span>

#include "orchestrator/core/error.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {

/// The band that the next value is expected in.
struct ControlLimits {
  double centre = 0;
  double deviation = 0;  ///< of one value
  double low = 0;
  double high = 0;
  std::size_t n = 0;
};

/// The limits that the next value passes with the probability `tail` on either side where nothing changed,
/// the values being few: mean and t(n - 1) s sqrt(1 + 1/n), exact for normal noise from 3 values on.
/// Fails with fewer, and unless 0 < tail < 0.5.
///
/// Source: G. J. Hahn and W. Q. Meeker, "Statistical Intervals", 1991, 4.7.
Result<ControlLimits> prediction_limits(const Moments& control, double tail);

/// A straight line through the values of equally spaced runs.
struct Trend {
  double slope = 0;      ///< per run, in the values' unit
  double error = 0;      ///< its standard error
  double total = 0;      ///< slope x (n - 1)
  double p_falling = 1;  ///< one-sided: a slope as far below 0 where there is none
  double p_rising = 1;
};

/// The trend by least squares, with Student's t for its slope. Fails with fewer than three values.
///
/// Source: N. R. Draper and H. Smith, "Applied Regression Analysis", 1.4.
Result<Trend> linear_trend(std::span<const double> values);

}  // namespace shakedown
