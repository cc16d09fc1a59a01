#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "parsers/hpl_mxp/log.hpp"

namespace shakedown {

/// Reads NVIDIA's HPL-MxP, 23 and later, and shakedown's reference kernel, which prints the same: settings,
/// memory, times of the two parts, and a result block for each loop.
///
///     ****** HPL MxP Result    ******
///       ||Ax-b||_oo / (EPS * (||A||_oo * ||x||_oo + ||b||_oo) * N) =    3.795803E-04 ...... PASSED
///         N = 370000, NB = 1024, NPROW = 2, NPCOL = 4, SLOPPY-TYPE = FP16
///            GFLOPS = 1.4747e+06, per GPU =  184341.01 ------ The HPL-MxP performance to report
///         LU GFLOPS = 2.5899e+06, per GPU =  323733.14 ------ The performance excluding the iterative solver
///         part
///     ****** HPL MxP Result    ******
///
/// Blocks without their markers are read too, as people quote them.
class MxpBlocks {
 public:
  explicit MxpBlocks(MxpLog& log) : log_(log) {}
  /// Whether the line is of this program.
  bool read(std::string_view text, const LogLine& line);
  void finish() { end_run(); }

 private:
  bool banner(std::string_view text, const LogLine& line);
  void begin_run(int line);
  void end_run();
  void open_block(int line);
  void close_block();
  [[nodiscard]] bool awaits_block() const;
  bool stars(std::string_view text, const LogLine& line);
  bool setting(std::string_view text, const LogLine& line);
  bool problem(std::string_view text, const LogLine& line);
  bool shape(std::string_view text, const LogLine& line);
  bool rate(std::string_view text, const LogLine& line, bool factorisation);
  bool quantity(std::string_view text, const LogLine& line);
  bool bars(std::string_view text, const LogLine& line);
  bool seconds(std::string_view text, const LogLine& line);
  bool iteration(std::string_view text, const LogLine& line);
  bool memory(std::string_view text, const LogLine& line);
  [[nodiscard]] std::string why_nothing() const;

  MxpLog& log_;
  bool evidence_ = false;
  int first_line_ = 1;
  ParsedResult run_;   ///< from the settings
  ParsedResult loop_;  ///< from the running loop: times and iterations
  ParsedResult block_;
  bool open_ = false;
  int block_line_ = 0;
  std::string loops_;                  ///< how many the run announced
  std::vector<ParsedResult> results_;  ///< of the run
  size_t given_ = 0;
};

/// The precision that a value of SLOPPY-TYPE means: its own name, or NVIDIA's numbers 1 and 2.
///
/// Source: NVIDIA HPL-MxP, --sloppy-type.
std::string sloppy_precision(std::string_view printed);

}  // namespace shakedown
