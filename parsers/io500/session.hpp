#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/failures.hpp"
#include "parsers/lines.hpp"

namespace shakedown {

/// A row of IO500's summary: one phase's value, numbers as printed.
struct Io500Row {
  std::string phase;  ///< in today's spelling
  std::string value;
  std::string_view unit;  ///< "GiB/s", "kIOPS"
  std::string time;       ///< seconds of the whole phase
  bool invalid = false;   ///< "[RESULT-invalid]" or "[INVALID]" at the end
  bool decimal = false;   ///< printed as "GB/s"
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
  std::string mark;      ///< "INVALID", "valid" ("[SCORE-valid]"); empty: none
  bool decimal = false;  ///< printed as "GB/s"
  bool padded = false;   ///< "[SCORE ]", as from 2021 on
};

/// The score on a line that starts with "[SCORE", likewise.
///
///     [SCORE ] Bandwidth 38.698681 GiB/s : IOPS 414.981742 kiops : TOTAL 126.725080 [INVALID]
///     [SCORE-invalid] Bandwidth 0 GB/s : IOPS 0 kiops : TOTAL 0
std::optional<Io500ScoreRow> io500_score_row(std::string_view text);

/// A text of the log with its line; line 0: not printed.
struct Io500Text {
  std::string text;
  int line = 0;
};

/// A phase as read from a run's log.
struct Io500Phase {
  std::string name;
  int line = 0;
  Io500Text score;
  Io500Text time;  ///< of the whole phase
  bool invalid = false;
  bool listed = false;                    ///< not as it ended, but in the scripts' list of all rows
  std::map<std::string, Io500Text> keys;  ///< of result.txt: "exe", "t_start", "total-files", ...
};

/// [SCORE] or [SCOREX].
struct Io500Score {
  int line = 0;
  Io500Text BW, MD, SCORE, hash;
  std::string mark;  ///< "INVALID", "valid", or empty
};

/// One run of IO500, as read from one of its files or its output.
struct Io500Session {
  int first_line = 1;
  int last_line = 1;
  bool evidence = false;  ///< a line that only IO500 writes was seen
  bool keyed = false;     ///< result.txt's grammar
  bool output = false;    ///< what only standard output has
  bool scripts = false;   ///< the shell scripts of 2017 to 2020
  bool reference = false;
  bool summed_up = false;                ///< the scripts' list of all rows has begun
  std::map<std::string, Io500Text> run;  ///< "version", "procs", "config-hash", "mode", "result-dir", ...
  std::vector<Io500Phase> phases;
  Io500Score score;
  Io500Score extended;
  std::vector<Io500Text> invalid;  ///< what the program calls invalid, in its words
  std::vector<Io500Text> skipped;  ///< phases that the scripts skipped
  std::vector<Io500Text> cached;   ///< phases that one client may have answered from its own memory
  Io500Text second_score;          ///< another score that no phases of its own come with
  Io500Text decimal_unit;          ///< "GB/s" where this program prints "GiB/s"
  Io500Text unofficial;      ///< "Not valid for IO-500 submission", "cannot be an official IO-500 score"
  Io500Text open_phase;      ///< the one that runs where the log ends
  std::string last_row;      ///< the last row as printed
  std::string last_own_row;  ///< the last one before the scripts' list
  std::optional<Failure> failure;  ///< the weightiest

  static constexpr size_t most_phases = 64;
  static constexpr size_t most_settings = 256;
  static constexpr size_t longest_value = 8192;

  Io500Phase* phase(std::string_view name);
  /// Adds to `list` unless it is long already: a log may repeat itself without end.
  static void remember(std::vector<Io500Text>& list, std::string_view text, int line);
};

/// Reads a log into its runs, line by line.
class Io500Sessions {
 public:
  explicit Io500Sessions(std::function<void(Io500Session&&)> done) : done_(std::move(done)) {}
  void read(const LogLine& line);
  /// The log is over.
  void finish();

 private:
  /// What is stored of the last lines, which show why a run ended.
  struct Tail {
    static constexpr size_t most_lines = 256;
    static constexpr size_t most_bytes = 400;
    std::vector<std::pair<int, std::string>> lines;
    size_t next = 0;
    void add(const LogLine& line);
  };

  void begin(int line);
  void hand_over();
  bool bracket(std::string_view text, const LogLine& line);
  bool header(std::string_view text, const LogLine& line);
  bool row(std::string_view text, const LogLine& line);
  void add_row(const Io500Row& row, const LogLine& line);
  bool score(const Io500ScoreRow& row, const LogLine& line);
  bool section(std::string_view text, const LogLine& line);
  bool step(std::string_view text, const LogLine& line);
  bool comment(std::string_view text, const LogLine& line);
  bool pair(std::string_view text, const LogLine& line);
  bool run_pair(std::string_view key, std::string_view value, bool padded, const LogLine& line);
  void phase_pair(std::string_view key, std::string_view value, const LogLine& line);
  void score_pair(Io500Score& score, std::string_view key, std::string_view value, const LogLine& line);
  bool said(std::string_view text, const LogLine& line);
  bool complaint(std::string_view words, const LogLine& line);
  bool remark(std::string_view text, const LogLine& line);
  bool glued(std::string_view text, const LogLine& line);

  std::function<void(Io500Session&&)> done_;
  Io500Session session_;
  std::string section_;  ///< of result.txt; empty: none
  Tail tail_;
};

}  // namespace shakedown
