#pragma once
#include <cstdint>
#include <string>

namespace shakedown::hpl_mxp {

/// The input of one run of rocHPL-MxP.
struct HplMxpDat {
  std::int64_t N = 0;
  std::int64_t NB = 0;
  bool column_major = true;  ///< PMAP: how ranks are laid on the grid
  int P = 1;
  int Q = 1;
};

/// HPL-MxP.dat: 14 lines, the values at the begin of each; one grid without a count before it; results go to
/// stdout.
///
/// Source: ROCm/rocHPL-MxP, scripts/HPL-MxP.dat and src/hplmxp_pinfo.cpp.
std::string hpl_mxp_dat(const HplMxpDat& run);

}  // namespace shakedown::hpl_mxp
