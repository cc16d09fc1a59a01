#pragma once
#include <optional>
#include <string_view>
#include <vector>

namespace shakedown {

/// How far a solver was when it printed a line on its progress, and how fast.
struct ProgressPoint {
  double share = 0;                  ///< that is done, 0 to 1, as the line states it
  double gflops = 0;                 ///< since the start, GFLOP/s
  std::optional<double> now_gflops;  ///< since the line before, if the line states it
};

/// The lines on progress of a log, or of a part of one, in their order: "Prog= 1.99% N_left= ... iGF=
/// 26057.43 GF= 26057.43" (NVIDIA), "Column=000000192 Fraction= 1.2% Gflops=9.318e+01" (netlib),
/// "Column=000768 Fraction=0.005 Kernel= ... Mflops=1411275.12" (Intel: a share). Empty: it has none. A line
/// that goes back begins another problem: the points of the last one are given.
std::vector<ProgressPoint> progress_points(std::string_view log);

}  // namespace shakedown
