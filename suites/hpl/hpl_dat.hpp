#pragma once
#include <cstdint>
#include <string>

namespace shakedown::hpl {

/// The input of one run of HPL. The algorithmic choices are those of the input file that HPCC ships, except
/// for builds that accept only their own.
struct HplDat {
  std::int64_t N = 0;
  int NB = 0;
  bool column_major = false;  ///< PMAP: how ranks are laid on the grid
  int P = 1;
  int Q = 1;
  int NBMIN = 4;
  int RFACT = 1;  ///< 0 left, 1 Crout, 2 right
  int BCAST = 1;  ///< 0 ring, 1 modified ring, ...
  int SWAP = 2;   ///< 0 binary exchange, 1 long, 2 mix
  int EQUIL = 1;  ///< 0 no, 1 yes
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
