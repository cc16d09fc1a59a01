#include "parsers/number.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/lines.hpp"

namespace shakedown {
namespace {

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

/// `text` behind the digits that it begins with.
std::string_view without_digits(std::string_view text) {
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') text.remove_prefix(1);
  return text;
}

}  // namespace

double half_unit(std::string_view printed) {
  const auto value = parsed_number(printed);
  if (!value || !std::isfinite(*value)) return 0;
  const size_t e = std::min(printed.find_first_of("eE"), printed.size());
  const size_t point = printed.substr(0, e).find('.');
  const auto decimals = point == std::string_view::npos ? 0 : static_cast<std::int64_t>(e - point - 1);
  std::int64_t exponent = 0;
  if (e < printed.size()) {
    std::string_view text = printed.substr(e + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto parsed = parsed_integer(text);
    if (!parsed) return 0;
    exponent = *parsed;
  }
  return 0.5 * std::pow(10.0, static_cast<double>(exponent - decimals));
}

bool is_whole_exponential(std::string_view text) {
  static constexpr std::array<std::string_view, 6> no_numbers = {"nan", "NAN", "NaN", "inf", "INF", "Inf"};
  text = without_sign(text);
  const std::string_view behind = without_digits(text);
  if (behind.size() == text.size()) return std::ranges::find(no_numbers, text) != no_numbers.end();
  if (behind.empty()) return false;
  text = behind.front() == '.' ? without_digits(behind.substr(1)) : behind;
  if (text.size() < 4 || (text[0] != 'e' && text[0] != 'E') || (text[1] != '+' && text[1] != '-'))
    return false;
  return text.size() <= 5 && without_digits(text.substr(2)).empty();
}

std::optional<double> finite_number(std::string_view text) {
  const auto value = parsed_number(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return *value;
}

std::optional<std::int64_t> positive_integer(std::string_view text) {
  const auto value = parsed_integer(text);
  if (!value || *value <= 0) return std::nullopt;
  return *value;
}

std::optional<std::tm> calendar_time(std::string_view text) {
  static constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::array<std::string_view, 5> parts;
  for (std::string_view& part : parts) part = take_word(text);
  const auto month = std::find(months.begin(), months.end(), parts[1]);
  const auto day = positive_integer(parts[2]);
  const auto year = positive_integer(parts[4]);
  if (!trimmed(text).empty() || month == months.end() || !day || !year || *day > 31 || *year > 9999)
    return std::nullopt;
  std::tm time{};
  time.tm_year = static_cast<int>(*year) - 1900;
  time.tm_mon = static_cast<int>(month - months.begin());
  time.tm_mday = static_cast<int>(*day);
  std::string_view clock = parts[3];
  for (int* const field : {&time.tm_hour, &time.tm_min, &time.tm_sec}) {
    const size_t colon = field == &time.tm_sec ? clock.size() : clock.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto value = parsed_integer(clock.substr(0, colon));
    if (!value || *value < 0 || *value > 60) return std::nullopt;
    *field = static_cast<int>(*value);
    clock.remove_prefix(std::min(colon + 1, clock.size()));
  }
  return time;
}

std::optional<double> calendar_seconds(std::string_view text) {
  auto time = calendar_time(text);
  if (!time) return std::nullopt;
  return static_cast<double>(timegm(&*time));
}

}  // namespace shakedown
