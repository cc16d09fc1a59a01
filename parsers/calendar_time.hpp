#pragma once
#include <ctime>
#include <optional>
#include <string_view>

namespace shakedown {

/// The time that C's `ctime` printed, "Sat Nov 21 11:35:20 2026"; the weekday isn't looked at. Nothing where
/// `text` has another shape. strptime would take the user's language for the months' names.
std::optional<std::tm> calendar_time(std::string_view text);

/// The same in seconds since 1970, as if it were UTC.
std::optional<double> calendar_seconds(std::string_view text);

}  // namespace shakedown
