#pragma once
#include <string_view>

#include "parsers/hpl_mxp/log.hpp"

namespace shakedown {

/// Reads the reference implementation of HPL-AI by the Innovative Computing Laboratory: one process, factors
/// in single precision, N not printed.
///
///     Total time                        :        0.047 second
///     Effective operation per sec       :     3.098523 GFLOPs
///     ||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= 0.013233 ...PASSED
///
/// Source: hpl-ai/hpl-ai, hpl-ai.c and gmres.c.
class MxpIcl {
 public:
  explicit MxpIcl(MxpLog& log) : log_(log) {}
  /// Whether the line is of this program.
  bool read(std::string_view text, const LogLine& line);
  void finish() { end_run(); }

 private:
  void begin_run(int line);
  void end_run();
  bool spent(std::string_view text, const LogLine& line);

  MxpLog& log_;
  bool evidence_ = false;
  int first_line_ = 1;
  int rate_line_ = 0;
  ParsedResult run_;
};

}  // namespace shakedown
