#pragma once
#include <optional>
#include <string_view>

#include "parsers/number.hpp"

namespace shakedown {

/// A number as a log prints it: what it may have been before it was rounded to its digits.
struct PrintedNumber {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// Nothing for what is no finite number.
inline std::optional<PrintedNumber> printed_number(std::string_view text) {
  const auto value = finite_number(text);
  if (!value) return std::nullopt;
  const double error = half_unit(text) * (1 + 1e-9);
  return PrintedNumber{*value, *value - error, *value + error};
}

/// Whether two ranges have a point in common, but for the arithmetic's own rounding.
inline bool overlap(double low, double high, double other_low, double other_high) {
  const double slack = 1e-9 * (high > 0 ? high : -high);
  return low <= other_high + slack && other_low <= high + slack;
}

}  // namespace shakedown
