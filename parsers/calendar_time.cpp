#include "parsers/calendar_time.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"

namespace shakedown {

std::optional<std::tm> calendar_time(std::string_view text) {
  static constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto parts = words(text);
  if (parts.size() != 5) return std::nullopt;
  const auto month = std::find(months.begin(), months.end(), parts[1]);
  const auto clock = split(parts[3], ':');
  const auto day = positive_integer(parts[2]);
  const auto year = positive_integer(parts[4]);
  if (month == months.end() || clock.size() != 3 || !day || !year || *day > 31 || *year > 9999)
    return std::nullopt;
  std::tm time{};
  time.tm_year = static_cast<int>(*year) - 1900;
  time.tm_mon = static_cast<int>(month - months.begin());
  time.tm_mday = static_cast<int>(*day);
  const std::array<int*, 3> fields = {&time.tm_hour, &time.tm_min, &time.tm_sec};
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto field = parsed_integer(clock[i]);
    if (!field || *field < 0 || *field > 60) return std::nullopt;
    *fields[i] = static_cast<int>(*field);
  }
  return time;
}

std::optional<double> calendar_seconds(std::string_view text) {
  auto time = calendar_time(text);
  if (!time) return std::nullopt;
  return static_cast<double>(timegm(&*time));
}

}  // namespace shakedown
