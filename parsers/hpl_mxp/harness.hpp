#pragma once
#include <string>
#include <string_view>

#include "parsers/hpl_mxp/log.hpp"

namespace shakedown {

/// Reads the HPL-MxP programs that descend from RIKEN's for Fugaku: that one, ORNL's OpenMxP and AMD's for
/// Zen. Their result is one line without a verdict: the run is valid if hpl-harness, the scaled residual, is
/// below 16.
///
///     n=1200 b=60 r=2 c=2
///     # iterative refinement: step=  3, residual=3.8993114293006670e-14 hpl-harness=0.181652
///     1.546135562 sec. 0.746480470 GFlop/s resid = 3.899311429300667e-14 hpl-harness = 0.181652325
///
/// OpenMxP adds "TFlop/s per GPU = 133.753" to the line, and some builds end their output there without a
/// line feed.
///
/// Source: RIKEN-RCCS/hpl-ai, main.cpp and iterative_refinement.hpp; at-aaims/OpenMxP, src/main.cpp.
class MxpHarness {
 public:
  explicit MxpHarness(MxpLog& log) : log_(log) {}
  /// Whether the line is of such a program.
  bool read(std::string_view text, const LogLine& line);
  void finish() { end_run(); }

 private:
  void begin_run(int line, std::string_view implementation);
  void end_run();
  bool sharp(std::string_view text, const LogLine& line);
  bool shape(std::string_view text, const LogLine& line);
  bool result_line(std::string_view text, const LogLine& line);
  bool mode(std::string_view text, const LogLine& line);
  bool part(std::string_view text, const LogLine& line);
  bool submission(std::string_view text, const LogLine& line);
  void take_submission();

  MxpLog& log_;
  bool evidence_ = false;
  bool shaped_ = false;      ///< the line with the sizes was seen
  bool submitting_ = false;  ///< the block for the submission has begun
  int first_line_ = 1;
  ParsedResult run_;
  int result_line_ = 0;
};

/// Whether a number that reaches the end of a line without a line feed is there in full: "%.9f" and "%.3f"
/// print that many decimals, "%e" a sign and two digits of exponent, and "nan" and "inf" are words.
bool is_whole_number(std::string_view text, size_t decimals);

}  // namespace shakedown
