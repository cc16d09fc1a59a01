#pragma once
#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>

namespace shakedown {

/// Half a unit in the last digit of a number as printed, the largest error of its rounding: "12.91" -> 0.005,
/// "5.0523e+03" -> 0.05, "7" -> 0.5. 0 for what is no decimal number.
double half_unit(std::string_view printed);

/// Whether `text` is a whole "%e" number of C: digits, point, digits, exponent with sign and two or three
/// digits, or nan or inf. A number that was cut anywhere, "5.05e+0" too, is none: this distinguishes a cut
/// row from a whole one.
bool is_whole_exponential(std::string_view text);

/// A finite number, or nothing: "nan", "inf" and what is no number.
std::optional<double> finite_number(std::string_view text);

/// A whole number above zero, or nothing.
std::optional<std::int64_t> positive_integer(std::string_view text);

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

/// The time that C's `ctime` printed, "Sat Nov 21 11:35:20 2026"; the weekday isn't looked at. Nothing where
/// `text` has another shape. strptime would take the user's language for the months' names.
std::optional<std::tm> calendar_time(std::string_view text);

/// The same in seconds since 1970, as if it were UTC.
std::optional<double> calendar_seconds(std::string_view text);

}  // namespace shakedown
