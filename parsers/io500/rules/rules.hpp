#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parsers/rules/finding.hpp"

namespace shakedown {

/// IO5-01 and IO5-02: phases, their times, and the benchmark's own check.
std::span<const Rule> io500_phase_rules();

/// IO5-03: means, time stamps and counts recomputed.
std::span<const Rule> io500_identity_rules();

/// IO5-05: the hashes of score and configuration.
std::span<const Rule> io500_hash_rules();

/// IO5-04 and IO5-06 to IO5-09: what was run, and where.
std::span<const Rule> io500_run_rules();

/// Whether a result that breaks IO5-02 was only too short: all that the program calls invalid is the time of
/// write phases and their stonewall. False where a mark has no reason beside it.
bool io500_only_short(const ParsedResult& result);

/// A printed number and the largest error of its rounding.
struct Io500Printed {
  double value = 0;
  double error = 0;
  int line = 0;
  std::string text;
};

/// The number that a fact holds; nothing where it is absent or no finite number.
std::optional<Io500Printed> io500_printed(const ParsedResult& result, std::string_view fact);

/// The command line of a phase, or nothing.
std::optional<std::string_view> io500_command(const ParsedResult& result, std::string_view phase);

/// Client nodes of the run: from the log, else as planned; 0: not known.
std::int64_t io500_clients(const Evidence& evidence);

/// The value of `key` in a section of the planned io500.ini, in lower case; empty: not planned or not set.
std::string io500_planned_setting(const Evidence& evidence, std::string_view section, std::string_view key);

}  // namespace shakedown
