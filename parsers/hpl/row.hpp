#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/lines.hpp"

namespace shakedown {

/// What a column of HPL's result table holds.
enum class HplColumn { variant, N, NB, P, Q, time, gflops, gflops_per_gpu, other };

/// The columns that a header line names, in their order; nothing where the line is no header.
///
/// Builds differ: netlib prints "T/V N NB P Q Time Gflops", HPL-GPU has CPU before Gflops, NVIDIA's from 23
/// on
/// "( per GPU)" behind it. So a row is read by its header, never by position.
std::optional<std::vector<HplColumn>> hpl_columns(std::string_view line);

/// A result row, numbers also as printed: how far they are rounded matters to the rules.
struct HplRow {
  std::string variant;  ///< T/V: W, process order R or C, and the build's own code
  std::int64_t N = 0;
  std::int64_t NB = 0;
  std::int64_t P = 0;
  std::int64_t Q = 0;
  std::string time;            ///< seconds
  double time_s = 0;           ///< the same
  std::string gflops;          ///< GFLOP/s, of all processes
  std::string gflops_per_gpu;  ///< empty: the build has no such column
  std::string fault;           ///< why the row can't be read; empty: all of the above is whole
  friend bool operator==(const HplRow&, const HplRow&) = default;
};

/// The result row on a line, nothing where there is none.
///
/// With `anywhere` other ranks' output may precede it on the line. A row that starts the line but isn't
/// whole comes with a `fault`. "%e" numbers end in a sign and two digits, so a number that was cut is known
/// as such.
std::optional<HplRow> hpl_row(const LogLine& line, const std::vector<HplColumn>& columns, bool anywhere);

/// What HPL's own code of a row states, by the names of the run's lists: "WR11C2R4" is Row-major, DEPTH 1,
/// BCAST 1ringM, RFACT Crout, NDIV 2, PFACT Right, NBMIN 4. Nothing for other builds' codes: "WC0",
/// "WR0XR8C48".
///
/// Source: netlib HPL 1.0 to 2.3, HPL_pdtest.c: "W%c%1d%c%c%1d%c%1d".
struct HplStated {
  std::string_view list;  ///< "DEPTH"
  std::string_view value;
};
std::optional<std::array<HplStated, 7>> hpl_variant(std::string_view code);

/// HPL's residual check of one row as its line prints it.
struct HplCheck {
  std::string residual;       ///< as printed: "3.21357981e-03", "0.0041173", "nan"
  std::string verdict;        ///< "PASSED", "FAILED"; empty: the line is cut before it
  bool one_of_three = false;  ///< HPL 1.0 checks three quotients, each on a line of its own
  friend bool operator==(const HplCheck&, const HplCheck&) = default;
};

/// The check on a line, wherever it starts on it; nothing where there is none. The lines that only explain
/// the check and the norms printed behind it are none.
///
///     ||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   3.21357981e-03 ...... PASSED      (2.0 and later)
///     ||Ax-b||_oo / ( eps * ||A||_1  * N        ) =        0.0412956 ...... PASSED          (1.0)
std::optional<HplCheck> hpl_check(std::string_view line);

}  // namespace shakedown
