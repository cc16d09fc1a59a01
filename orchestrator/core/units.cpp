#include "orchestrator/core/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

constexpr std::string_view minus = "\u2212";
constexpr std::string_view group_space = "\u202f";

/// Decimals after the point so that `value` shows `significant` digits.
int decimals_for(double magnitude, int significant) {
  if (magnitude == 0 || !std::isfinite(magnitude)) return 0;
  // By its text: exact, and without the mathematical library, which node-state would load with each case.
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), magnitude, std::chars_format::scientific).ptr;
  const char* exponent = std::find(text.data(), end, 'e') + 1;
  if (exponent < end && *exponent == '+') ++exponent;
  int integer_digits = 0;
  std::from_chars(exponent, end, integer_digits);
  return std::clamp(significant - integer_digits - 1, 0, 20);
}

/// The magnitude in fixed notation without trailing zeros behind the point.
std::string fixed(double magnitude, int significant) {
  std::string text = fmt::format("{:.{}f}", magnitude, decimals_for(magnitude, significant));
  return text;
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string with_sign(double value, const std::string& magnitude) {
  const bool zero = magnitude.find_first_not_of("0.\u202f") == std::string::npos;
  return value < 0 && !zero ? std::string(minus) + magnitude : magnitude;
}

}  // namespace

std::string number(double value, int significant) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : std::string(minus) + "inf";
  const double magnitude = std::abs(value);
  if (magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e15))
    return with_sign(value, fmt::format("{:.{}e}", magnitude, std::max(0, significant - 1)));
  return with_sign(value, fixed(magnitude, significant));
}

std::string grouped(double value, int significant) {
  if (std::isnan(value) || std::isinf(value) || std::abs(value) >= 1e15) return number(value, significant);
  std::string text = without_trailing_zeros(fixed(std::abs(value), significant));
  const size_t point = std::min(text.find('.'), text.size());
  if (point >= 5)
    for (size_t at = point; at > 3; at -= 3) text.insert(at - 3, group_space);
  return with_sign(value, text);
}

std::string count_text(double count, int significant) {
  constexpr double million = 1e6;
  return std::abs(count) < million ? grouped(count, significant)
                                   : grouped(count / million, significant) + " million";
}

std::string bytes_text(double bytes) {
  static constexpr std::array<std::string_view, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  while (std::abs(bytes) >= kibi && unit + 1 < units.size()) {
    bytes /= kibi;
    ++unit;
  }
  const int significant = unit == 0 ? 4 : 3;
  return fmt::format(
      "{} {}", without_trailing_zeros(number(bytes, std::abs(bytes) >= 1000 ? 4 : significant)), units[unit]);
}

std::string bytes_text(std::int64_t bytes) {
  return bytes_text(static_cast<double>(bytes));
}

std::string duration_text(double seconds) {
  if (!(seconds >= 0)) return "–";
  if (seconds < 60) return fmt::format("{} s", number(seconds, seconds < 1 ? 2 : 3));
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  return fmt::format("{}h {:02}m", whole / 3600, whole % 3600 / 60);
}

std::string flops_text(double gflops, int significant) {
  static constexpr std::array<std::string_view, 4> units = {"GFLOP/s", "TFLOP/s", "PFLOP/s", "EFLOP/s"};
  size_t unit = 0;
  while (std::abs(gflops) >= 1000 && unit + 1 < units.size()) {
    gflops /= 1000;
    ++unit;
  }
  return fmt::format("{} {}", number(gflops, significant), units[unit]);
}

std::string percent_text(double ratio, int decimals) {
  if (std::isnan(ratio)) return "–";
  return with_sign(ratio, fmt::format("{:.{}f}", std::abs(ratio) * 100, decimals)) + " %";
}

Result<double> parsed_number(std::string_view text) {
  std::string_view rest = text;
  if (!rest.empty() && rest.front() == '+') rest.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (rest.empty() || code != std::errc() || end != rest.data() + rest.size())
    return fail("", fmt::format("'{}' is not a number", text));
  return value;
}

Result<std::int64_t> parsed_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc() || end != text.data() + text.size())
    return fail("", fmt::format("'{}' is not a whole number", text));
  return value;
}

Result<double> duration_seconds(std::string_view text, double bare_unit_s) {
  const std::string hint = "write it as 90s, 15m, 1h30m or 01:30:00";
  const auto bad = [&] { return fail("", fmt::format("'{}' is not a duration", text), hint); };
  double total = 0;
  if (text.find(':') != std::string_view::npos) {
    const auto parts = split(text, ':');
    if (parts.size() > 3) return bad();
    for (const std::string_view part : parts) {
      const auto value = parsed_integer(part);
      if (!value || *value < 0) return bad();
      total = total * 60 + static_cast<double>(*value);
    }
  } else if (const auto bare = parsed_number(text)) {
    total = *bare * bare_unit_s;
  } else {
    std::string_view rest = text;
    while (!rest.empty()) {
      const size_t digits = std::min(rest.find_first_not_of("0123456789."), rest.size());
      const auto value = parsed_number(rest.substr(0, digits));
      if (!value || digits == rest.size()) return bad();
      const char unit = rest[digits];
      const double factor = unit == 's' ? 1 : unit == 'm' ? 60 : unit == 'h' ? 3600 : unit == 'd' ? 86400 : 0;
      if (factor == 0) return bad();
      total += *value * factor;
      rest.remove_prefix(digits + 1);
    }
  }
  if (!(total > 0) || std::isinf(total)) return bad();
  return total;
}

}  // namespace shakedown
