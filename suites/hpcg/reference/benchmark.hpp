#pragma once
#include <array>
#include <cstdint>
#include <cstdio>

#include "suites/hpcg/reference/cg.hpp"
#include "suites/hpcg/reference/kernels.hpp"
#include "suites/hpcg/reference/options.hpp"

namespace hpcg {

/// Sizes of a level over all ranks.
struct LevelSize {
  std::int64_t rows = 0;
  std::int64_t nonzeros = 0;
  std::int64_t columns = 0;  ///< rows and halo of the first rank, times the ranks
  int sent = 0;              ///< values that the first rank sends in an exchange
  int neighbours = 0;        ///< of the first rank
};
using LevelSizes = std::array<LevelSize, kLevels>;

/// What HPCG counts for the timed part, whatever was really executed: operations, or bytes.
struct Count {
  double dot = 0;
  double combine = 0;
  double product = 0;
  double multigrid = 0;
  [[nodiscard]] double total() const { return dot + combine + product + multigrid; }
};

/// Floating-point operations of `sets` sets of `iterations`. Source: HPCG 3.1, ReportResults.cpp.
Count operations(const LevelSizes& levels, double sets, double iterations);

/// Bytes read and written by HPCG's model, with its own terms for the residual and the second smoother.
/// Source: HPCG 3.1, ReportResults.cpp.
Count bytes_read(const LevelSizes& levels, double sets, double iterations);
Count bytes_written(const LevelSizes& levels, double sets, double iterations);

/// Bytes that HPCG 3.1's data structures take by its own model, by level: what makes problems comparable
/// between programs. Source: HPCG 3.1, ReportResults.cpp.
std::array<double, kLevels> problem_bytes(const LevelSizes& levels, double sets);

constexpr int kReferenceIterations = 50;

/// All of a run that the report shows.
struct Outcome {
  Options options;
  Geometry geometry;
  int threads = 1;
  LevelSizes levels;
  double setup_seconds = 0;         ///< generating the problem
  double reference_seconds = 0;     ///< one product and one V-cycle of the plain kernels
  double optimisation_seconds = 0;  ///< rearranging it
  double optimised_bytes = 0;       ///< that the rearranged problem takes more, on all ranks
  std::vector<const char*> measures;
  SpectralTest spectral;
  SymmetryTest symmetry;
  NormTest norms;
  bool converged = false;  ///< the optimised solver reached the reference's residual
  int sets = 0;
  int iterations = kReferenceIterations;  ///< of each timed set
  Times times;                            ///< of the timed sets
  double least_allreduce = 0;             ///< over ranks
  double most_allreduce = 0;
  double mean_allreduce = 0;

  [[nodiscard]] bool valid() const {
    return spectral.passed() && symmetry.passed() && norms.passed() && converged;
  }
};

/// All phases of HPCG 3.1. Collective; `log` is null on all ranks but the first, which also prints its
/// progress on stdout. Throws std::bad_alloc.
///
/// Source: HPCG 3.1, main.cpp.
Outcome run(const Options& options, int rank, std::FILE* log);

/// Bytes that a rank needs at the most, of matrices and vectors.
double memory_needed(const Options& options);

}  // namespace hpcg
