#pragma once
#include <cstdint>
#include <string>

namespace shakedown::hpl {

/// What one run of HPL is told. The algorithmic choices are those of the input file that HPCC ships.
struct HplDat {
  std::int64_t N = 0;
  int NB = 0;
  bool column_major = false;  ///< PMAP: how ranks are laid on the grid
  int P = 1;
  int Q = 1;
};

/// HPL.dat: 31 lines, the values that HPL reads at the begin of each; results go to stdout.
///
/// Source: HPL 2.3, testing/ptest/HPL.dat and HPL_pdinfo.c.
std::string hpl_dat(const HplDat& run);

/// hpccinf.txt: the lines of HPL.dat, a separator and HPCC's four lines for PTRANS, which adds no sizes of
/// its own. HPCC ignores lines 3 and 4 and appends to hpccoutf.txt.
///
/// Source: HPCC 1.5.0, README, "Configuration".
std::string hpccinf(const HplDat& run);

}  // namespace shakedown::hpl
