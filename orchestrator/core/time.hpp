#pragma once
#include <string>

namespace shakedown {

/// Seconds since 1970-01-01 UTC.
double now_s();

/// `2026-11-21T18:05:09Z` from seconds since 1970; whole seconds.
std::string utc_text(double seconds_since_epoch);

}  // namespace shakedown
