#pragma once
#include <cstdint>
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

}  // namespace shakedown
