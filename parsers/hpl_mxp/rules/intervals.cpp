#include "parsers/hpl_mxp/rules/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/calendar_time.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// "2026-08-21" as 20260821.
std::optional<Day> day_of(std::string_view text) {
  const auto parts = split(text, '-');
  if (parts.size() != 3) return std::nullopt;
  const auto year = parsed_integer(parts[0]);
  const auto month = parsed_integer(parts[1]);
  const auto day = parsed_integer(parts[2]);
  if (!year || !month || !day || *year < 1970 || *year > 9999 || *month < 1 || *month > 12 || *day < 1 ||
      *day > 31)
    return std::nullopt;
  return static_cast<Day>(*year * 10000 + *month * 100 + *day);
}

/// "26.2.0", year and month of the release.
std::optional<Day> release_of(std::string_view version) {
  const auto parts = split(version, '.');
  if (parts.size() < 2) return std::nullopt;
  const auto year = parsed_integer(parts[0]);
  const auto month = parsed_integer(parts[1]);
  if (!year || !month || *year < 20 || *year > 99 || *month < 1 || *month > 12) return std::nullopt;
  return static_cast<Day>((2000 + *year) * 10000 + *month * 100 + 1);
}

}  // namespace

std::string Interval::text() const {
  if (high == std::numeric_limits<double>::infinity()) return fmt::format("above {}", number(low, 6));
  return fmt::format("{} to {}", number(low, 6), number(high, 6));
}

std::optional<Interval> printed_interval(const ParsedResult& result, std::string_view fact) {
  const Fact* found = result.fact(fact);
  if (found == nullptr) return std::nullopt;
  const auto value = finite_number(found->value);
  if (!value) return std::nullopt;
  const double error = half_unit(found->value) * (1 + 1e-9);
  return Interval{*value - error, *value + error, found->line, found->value};
}

std::optional<Interval> time_interval(const ParsedResult& result, std::string_view part) {
  auto interval = printed_interval(result, fmt::format("{}_printed", part));
  if (!interval) return std::nullopt;
  const auto least = printed_interval(result, fmt::format("{}_min", part));
  const auto most = printed_interval(result, fmt::format("{}_max", part));
  if (least) interval->low = std::min(interval->low, least->low);
  if (most) interval->high = std::max(interval->high, most->high);
  return interval;
}

std::optional<Interval> solution_time(const ParsedResult& result) {
  if (auto whole = printed_interval(result, "time_printed")) return whole;
  const auto factorisation = time_interval(result, "lu_time");
  const auto refinement = time_interval(result, "refinement_time");
  if (!factorisation || !refinement) return std::nullopt;
  return Interval{factorisation->low + refinement->low, factorisation->high + refinement->high,
                  refinement->line, fmt::format("{} + {}", factorisation->printed, refinement->printed)};
}

Interval rate_interval(std::int64_t N, const Interval& time) {
  const auto n = static_cast<double>(N);
  const double giga_operations = ((2.0 / 3.0) * n * n * n + 1.5 * n * n) * 1e-9;
  const double highest = time.low > 0 ? giga_operations / time.low : std::numeric_limits<double>::infinity();
  return {giga_operations / time.high * (1 - 1e-12), highest * (1 + 1e-12), time.line, {}};
}

std::optional<EarliestDay> earliest_day(const ParsedResult& result) {
  for (const char* name : {"started", "ended"})
    if (const Fact* fact = result.fact(name))
      if (const auto time = calendar_time(fact->value))
        return EarliestDay{(time->tm_year + 1900) * 10000 + (time->tm_mon + 1) * 100 + time->tm_mday, true,
                           "run on " + fact->value, fact->line};
  if (const Fact* fact = result.fact("date"))
    if (const auto day = day_of(fact->value))
      return EarliestDay{*day, true, "run on " + fact->value, fact->line};
  if (result.implementation == "nvidia")
    if (const auto day = release_of(result.version))
      return EarliestDay{*day, false, fmt::format("version {}", result.version), 0};
  return std::nullopt;
}

}  // namespace shakedown
