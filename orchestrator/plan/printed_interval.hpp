#pragma once
#include <span>

#include "orchestrator/plan/published.hpp"

namespace shakedown {

/// The positive values that a printed figure may stand for: half a unit of its last digit to either side.
/// Arithmetic on intervals carries the rounding along, so that an identity fails only where no unrounded
/// figures could satisfy it.
struct Interval {
  double low = 0;
  double high = 0;

  [[nodiscard]] bool meets(const Interval& other) const { return low <= other.high && other.low <= high; }
  [[nodiscard]] bool holds(double value) const { return low <= value && value <= high; }
  [[nodiscard]] double middle() const { return (low + high) / 2; }
};

Interval exactly(double value);

/// `value` with a relative tolerance to either side.
Interval within(double value, double tolerance);

Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);
Interval operator+(const Interval& a, const Interval& b);
Interval square_root(const Interval& a);

/// (a1 a2 ... an)^(1/n).
Interval geometric_mean(std::span<const Interval> figures);

/// The interval of a row, from the digits of `printed` scaled to the row's unit. A figure without digits
/// stands for its value alone.
Interval printed_interval(const BaselineValue& value);

}  // namespace shakedown
