#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {

/// A row of IO500's summary: one phase's figure, numbers as printed.
struct Io500Row {
  std::string phase;  ///< in today's spelling
  std::string value;
  std::string_view unit;  ///< "GiB/s", "kIOPS"
  std::string time;       ///< seconds of the whole phase
  bool invalid = false;   ///< "[RESULT-invalid]" or "[INVALID]" at the end
};

/// The row of a phase on a line that starts with "[": nothing where it isn't whole, from its tag to the word
/// "seconds".
///
///     [RESULT]       ior-easy-write       63.634524 GiB/s : time 302.645 seconds [INVALID]
///     [      ]            timestamp        0.000000 kIOPS : time 0.001 seconds
///     [RESULT-invalid] BW   phase 1            ior_easy_write              208.252 GB/s : time 365.10
///     seconds
///
/// Source: IO500, src/main.c; io-500-dev, utilities/io500_fixed.sh, print_bw() and print_iops().
std::optional<Io500Row> io500_row(std::string_view text);

/// The score of a run, numbers as printed.
struct Io500ScoreRow {
  bool extended = false;  ///< [SCOREX]
  std::string BW;
  std::string MD;
  std::string SCORE;
  std::string mark;  ///< "INVALID", "valid" ("[SCORE-valid]"); empty: none
};

/// The score on a line that starts with "[SCORE", likewise.
///
///     [SCORE ] Bandwidth 38.698681 GiB/s : IOPS 414.981742 kiops : TOTAL 126.725080 [INVALID]
///     [SCORE-invalid] Bandwidth 0 GB/s : IOPS 0 kiops : TOTAL 0
std::optional<Io500ScoreRow> io500_score_row(std::string_view text);

}  // namespace shakedown
