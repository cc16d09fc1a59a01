#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parsers/parser.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown {

/// MXP-01 to MXP-03 and MXP-05: the benchmark's own check, precision, and what was solved.
std::span<const Rule> hpl_mxp_numerics_rules();

/// MXP-04: rates, times and products recomputed from what else the log prints.
std::span<const Rule> hpl_mxp_identity_rules();

/// MXP-06: refinement, sizes and memory, and what was planned.
std::span<const Rule> hpl_mxp_conduct_rules();

/// The range of a printed number before its rounding.
struct PrintedInterval {
  double low = 0;
  double high = 0;
  int line = 0;
  std::string printed;
  [[nodiscard]] bool holds(const PrintedInterval& other) const {
    return low <= other.high && other.low <= high;
  }
  [[nodiscard]] std::string text() const;  ///< "2.79 to 2.81"
};

/// The number that a fact prints, with its rounding; nothing where it isn't there or is no finite number.
std::optional<PrintedInterval> printed_interval(const ParsedResult& result, std::string_view fact);

/// The time of a part of the solution ("lu_time", "refinement_time"): from its least to its largest over the
/// ranks where those are printed, else as printed.
std::optional<PrintedInterval> time_interval(const ParsedResult& result, std::string_view part);

/// The time of the whole solution: as printed, else that of its two parts.
std::optional<PrintedInterval> solution_time(const ParsedResult& result);

/// The rates in GFLOP/s that HPL-MxP's count, 2/3 N^3 + 3/2 N^2 operations, gives for N in a time. The upper
/// end is infinite where the time may be zero.
PrintedInterval rate_interval(std::int64_t N, const PrintedInterval& time);

/// A day as 20250610.
using Day = int;

/// The earliest day on which the run can have been made, by the log itself: its time stamps, or the release
/// of NVIDIA's program, whose version is year and month. Nothing if neither is there.
struct EarliestDay {
  Day day = 0;
  bool exact = false;  ///< the run's own day
  std::string because;
  int line = 0;
};
std::optional<EarliestDay> earliest_day(const ParsedResult& result);

}  // namespace shakedown
