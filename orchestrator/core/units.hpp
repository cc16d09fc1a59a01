#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

inline constexpr double kibi = 1024.0;
inline constexpr double gibi = kibi * kibi * kibi;

/// `value` with `significant` digits, a true minus sign, no negative zero and no exponent between 1e-4 and
/// 1e15. Digits of the integer part are never dropped: 12345.6 with 4 digits is "12346". NaN is "nan".
std::string number(double value, int significant = 4);

/// As `number`, with the integer part in groups of three from five digits on ("2 706 432", narrow no-break
/// spaces): for people, never for machines.
std::string grouped(double value, int significant = 12);

/// A count of things for people, from a million on in millions: "4096", "12 500", "111.4 million",
/// "25 000 million"; `significant` digits of it.
std::string count_text(double count, int significant = 4);

/// Bytes as "15.5 GiB", "512 KiB": binary units, three to four significant digits.
std::string bytes_text(double bytes);
std::string bytes_text(std::int64_t bytes);

/// Seconds as "0.42 s", "59.3 s", "4m 12s", "2h 05m".
std::string duration_text(double seconds);

/// A rate given in GFLOP/s with the unit that suits its size: "92.1 GFLOP/s", "33.95 PFLOP/s".
std::string flops_text(double gflops, int significant = 4);

/// "78.3 %" from 0.783.
std::string percent_text(double ratio, int decimals = 1);

/// Minutes, seconds or hours as people write them: "90", "90s", "15m", "2h", "1h30m", "00:30:00"; a bare
/// number is in `bare_unit_s` seconds. Result in seconds. Fails on anything else and on values <= 0.
Result<double> duration_seconds(std::string_view text, double bare_unit_s = 1);

/// A number as benchmark programs print it ("5.0523e+03", "nan", "NAN", "-inf", "1,234" is none): the value,
/// or a failure when `text` is not one number from its first to its last character.
Result<double> parsed_number(std::string_view text);

/// A whole number from first to last character of `text`.
Result<std::int64_t> parsed_integer(std::string_view text);

}  // namespace shakedown
