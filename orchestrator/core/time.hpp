#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {

inline constexpr double day_s = 86'400;
inline constexpr double week_s = 7 * day_s;

/// Seconds since 1970-01-01 UTC.
double now_s();

/// Seconds since some time in the past, for intervals: it goes on evenly where somebody sets the clock.
double steady_s();

/// `2026-11-21T18:05:09Z` from seconds since 1970; whole seconds.
std::string utc_text(double seconds_since_epoch);

/// The reverse, of "2026-11-21T18:05:09" with or without the Z; nothing where the text is no such time.
std::optional<double> utc_seconds(std::string_view text);

/// Seconds since this kernel was booted, sleep included.
double uptime_s();

}  // namespace shakedown
