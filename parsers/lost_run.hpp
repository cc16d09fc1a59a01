#pragma once
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace shakedown {

inline constexpr std::string_view lost_run_start = "the run that starts at line ";

/// The warning that a log holds a further run, which left no result.
inline std::string lost_run_warning(int first_line, std::string_view reason) {
  return fmt::format("{}{} left no result: {}", lost_run_start, first_line, reason);
}

/// Whether a warning is that one.
inline bool is_lost_run(std::string_view warning) {
  return warning.starts_with(lost_run_start);
}

}  // namespace shakedown
