#pragma once

#include <cstdio>

#include "suites/hpcg/reference/cg.hpp"
#include "suites/hpcg/reference/operations.hpp"
#include "suites/hpcg/reference/options.hpp"
#include "suites/hpcg/reference/times.hpp"

namespace hpcg {

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
