#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "parsers/hpl/row.hpp"

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

/// The row on a line, wherever "HPL_AI" stands on it; nothing where there is none. What can't be read comes
/// with `row.fault`.
std::optional<HplAiRow> hpl_ai_row(const LogLine& line, const HplAiColumns& columns);

}  // namespace shakedown
