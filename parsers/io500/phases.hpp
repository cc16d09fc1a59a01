#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {

/// A phase of IO500 that its score is made of.
struct Io500Official {
  std::string_view name;   ///< as IO500 spells it since 2020: "ior-easy-write"
  bool bandwidth = false;  ///< in GiB/s, else in kIOPS
  bool write = false;      ///< must last at least 300 s
};

/// The twelve official phases in the order in which they run.
///
/// Source: IO500, src/phase-definitions.h; io-500-dev, utilities/io500_fixed.sh (2018 to 2020, same order).
inline constexpr std::array<Io500Official, 12> io500_official = {{{"ior-easy-write", true, true},
                                                                  {"mdtest-easy-write", false, true},
                                                                  {"ior-hard-write", true, true},
                                                                  {"mdtest-hard-write", false, true},
                                                                  {"find", false, false},
                                                                  {"ior-easy-read", true, false},
                                                                  {"mdtest-easy-stat", false, false},
                                                                  {"ior-hard-read", true, false},
                                                                  {"mdtest-hard-stat", false, false},
                                                                  {"mdtest-easy-delete", false, false},
                                                                  {"mdtest-hard-read", false, false},
                                                                  {"mdtest-hard-delete", false, false}}};

/// The official phase of that name, or null.
const Io500Official* io500_official_phase(std::string_view name);

/// The name in today's spelling ("ior_easy_write" -> "ior-easy-write"); nothing for what can't be a phase:
/// one starts with ior-, mdtest-, find, mdworkbench- or is "timestamp".
std::optional<std::string> io500_phase_name(std::string_view printed);

/// "GiB/s" or "kIOPS" for what a row prints, nothing for another unit. "GB/s" is GiB/s: the scripts of 2017
/// to 2019 printed IOR's MiB/s divided by 1024 under that name.
///
/// Source: io-500-dev, utilities/io500_fixed.sh, get_ior_bw(); commit b7e3924 "Fix ambiguous bandwidth unit".
std::optional<std::string_view> io500_unit(std::string_view printed);

/// The unit of a phase by its name's first letter. Source: IO500, src/main.c.
std::string_view io500_unit_of_phase(std::string_view name);

/// Whether a phase counts in the score of the extended mode: all but time stamp, md-workbench's creation and
/// deletion, and the random read of the easy files. Source: IO500, src/phase_*.c, `.group`.
bool io500_counts_in_extended(std::string_view name);

/// "ior_easy_write_gib_s", "find_kiops": the name of a phase's metric; with "time_s" of its time.
std::string io500_metric(std::string_view phase, std::string_view unit);

}  // namespace shakedown
