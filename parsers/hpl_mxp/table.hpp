#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/hpl/row.hpp"
#include "parsers/hpl_mxp/log.hpp"

namespace shakedown {

/// What the header of NVIDIA's HPL-AI table names beside HPL's columns.
struct HplAiColumns {
  bool named = false;       ///< a header was seen
  bool refinement = false;  ///< it has FGMRES and Gflops_IRS: "Gflops" is the factorisation's rate
};

/// A row of NVIDIA's HPL-AI, 20.10 to 22.x.
///
///              T/V                N    NB     P     Q               Time                 Gflops FGMRES
///              Gflops_IRS
///     HPL_AI   WR03L2L2       44000   288     1 1               3.74              1.517e+04         1.32214
///     1.121e+04
///
/// Gflops is the rate of the factorisation alone, in Time; FGMRES is the refinement's time in seconds and
/// Gflops_IRS the rate of both, which is the one to report. Some builds print the number of iterations
/// between the two. 20.10 prints Time and Gflops alone.
struct HplAiRow {
  HplRow row;
  std::string refinement_time;  ///< seconds; empty: the build has no such column
  std::string iterations;       ///< empty: the build has no such column
  std::string total_gflops;     ///< of factorisation and refinement; empty: the build has no such column
};

/// The row on a line, wherever "HPL_AI" is on it; nothing if there is none. A row that can't be read comes
/// with `row.fault`.
std::optional<HplAiRow> hpl_ai_row(const LogLine& line, const HplAiColumns& columns);

/// One row of such a table, with the lines below it.
struct MxpTest {
  int line = 0;
  bool mixed = false;  ///< it is known to be no test of HPL
  ParsedResult result;
  std::string lost;  ///< why there is no row
};

/// Reads the HPL-MxP programs that print HPL's table: NVIDIA's HPL-AI (rows that start with HPL_AI),
/// rocHPL-MxP (T/V of three characters, "HPLMXP_pdgesv()"), the HPL-AI of Sun Yat-sen University
/// ("HPLAI_pdgesv()") and Intel's (HPL's own table, identified by the program's name above it).
///
/// HPL's own logs give nothing.
class MxpTables {
 public:
  explicit MxpTables(MxpLog& log) : log_(log) {}
  /// Whether the line is of such a program; HPL's lines are not.
  bool read(std::string_view text, const LogLine& line);
  void finish();
  /// The run ended here, or a script goes on with something else: a check below is not its own.
  void break_off();

 private:
  void begin_run(int line);
  void end_run();
  void close_test();
  void mixed(std::string_view implementation);
  bool program(std::string_view text, const LogLine& line);
  void take_name();
  bool banner(std::string_view text, const LogLine& line);
  bool header(std::string_view text, const LogLine& line);
  bool row(std::string_view text, const LogLine& line);
  ParsedResult& open_test(const HplRow& row, const LogLine& line);
  bool check(std::string_view text, const LogLine& line);
  bool clock(std::string_view text, const LogLine& line);
  bool echo(std::string_view text, const LogLine& line);
  bool statement(std::string_view text, const LogLine& line);
  bool footer(std::string_view text, const LogLine& line);
  bool progress(std::string_view text, const LogLine& line);
  bool complaint(std::string_view text, const LogLine& line);
  [[nodiscard]] std::optional<ParsedResult> summary() const;
  [[nodiscard]] ParsedResult nothing() const;
  void sign(ParsedResult& result) const;
  void release();

  MxpLog& log_;
  bool mixed_ = false;      ///< this run is no run of HPL
  bool hpl_only_ = false;   ///< the banner of NVIDIA's HPL: its short T/V is no sign of rocHPL-MxP
  int named_line_ = 0;      ///< where Intel's HPL-AI was named: the next run is its
  bool after_end_ = false;  ///< "End of Tests." came, no header since
  int first_line_ = 1;
  ParsedResult run_;
  std::string hplinpack_;
  std::map<std::string, std::vector<std::string>, std::less<>> echo_;
  std::string label_;
  bool echoing_ = false;
  std::vector<HplColumn> columns_;
  HplAiColumns ai_columns_;
  bool awaiting_row_ = false;
  ParsedResult pending_;  ///< iterations printed above their row
  std::optional<MxpTest> test_;
  std::vector<ParsedResult> results_;
  size_t given_ = 0;
  int passed_ = 0;  ///< rows by their own check lines
  int failed_ = 0;
  ParsedResult footer_;
  std::string stopped_;  ///< the program's own words on why it went no further
};

}  // namespace shakedown
