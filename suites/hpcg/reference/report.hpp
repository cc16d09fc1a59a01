#pragma once

#include <cstdio>
#include <string>

#include "suites/hpcg/reference/benchmark.hpp"

namespace hpcg {

constexpr auto kBanner =
    "shakedown HPCG reference 0.1.0  --  27-point problem, multigrid and CG on MPI and OpenMP";

/// Rates in GFLOP/s, by HPCG's operation count.
struct Ratings {
  double raw = 0;
  double with_convergence = 0;  ///< extra iterations of the optimised solver don't count
  double final = 0;             ///< and a tenth of setup and optimisation counts as time of each set
  double historical = 0;        ///< HPCG 2.4's: without setup
};
Ratings ratings(const Outcome& outcome);

/// HPCG 3.1's report, key by key, under this program's own banner and with a section on how it is
/// implemented. Of an invalid run it has no rating.
void write_report(const Outcome& outcome, std::FILE* out);

/// A file of the working directory, opened for writing, with the time in its name; null where that fails.
struct DatedFile {
  std::FILE* file = nullptr;
  std::string name;
};
DatedFile open_report();
DatedFile open_log();

}  // namespace hpcg
