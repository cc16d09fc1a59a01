#pragma once

namespace shakedown {

/// Seconds since this kernel was booted, sleep included.
double uptime_s();

}  // namespace shakedown
