#pragma once

namespace shakedown {

/// The exit codes of the program beside 0, done, and 128 + the number of a signal:
/// docs/reference/exit-codes.md.
inline constexpr int exit_not_accepted = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_undecided = 3;  ///< also: nothing to compare with, no log of a benchmark
inline constexpr int exit_environment = 4;
inline constexpr int exit_skipped = 75;  ///< EX_TEMPFAIL: a scheduled check that could not begin

}  // namespace shakedown
