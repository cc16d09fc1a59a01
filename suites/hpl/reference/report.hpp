#pragma once

#include <cstdio>
#include <ctime>

#include "suites/hpl/reference/hpl_dat.hpp"
#include "suites/hpl/reference/solve.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl {

/// One solve, as timed.
struct Solve {
  int N = 0;
  int NB = 1;
  double seconds = 0;  ///< wall clock, of the slowest rank
  std::time_t start = 0;
  std::time_t end = 0;
};

/// Rate in GFLOP/s by HPL's operation count, (2/3) N^3 + (3/2) N^2, whatever was really executed.
double gflops(const Solve& solve);

/// How many tests passed (or, unchecked, ended), failed their check, or were skipped.
struct Counts {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

/// The output in the grammar of HPL 2.3, which any HPL parser reads, under this program's own banner.
/// Each call ends with a flush, so that the output of a killed run is not lost.
class Report {
 public:
  Report(std::FILE* out, const HplDat& dat) : out_(out), dat_(dat) {}

  void banner() const;
  void row(const Grid& grid, const Solve& solve) const;
  /// True where the residual is below the threshold; a nan isn't.
  bool check(const Residual& residual) const;
  void skipped(int p, int q) const;
  void footer(const Counts& counts) const;

 private:
  std::FILE* out_;
  const HplDat& dat_;
};

}  // namespace hpl
