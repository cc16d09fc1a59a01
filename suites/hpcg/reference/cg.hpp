#pragma once
#include <cstdio>
#include <functional>
#include <vector>

#include "suites/hpcg/reference/kernels.hpp"

namespace hpcg {

/// Vectors that a solve works in.
struct Workspace {
  Vector r;
  Vector z;  ///< with a halo
  Vector p;  ///< with a halo
  Vector Ap;
  /// Throws std::bad_alloc.
  explicit Workspace(const Kernels& kernels);
};

/// When a solve ends, and how it goes there.
struct Solve {
  int most_iterations = 50;
  double tolerance = 0;  ///< of the residual over the first one
  bool preconditioned = true;
  std::function<void(int, double)> watch;  ///< called with each iteration and its scaled residual
};

struct Convergence {
  int iterations = 0;
  double residual = 0;  ///< 2-norm over that of the first one
};

/// Preconditioned conjugate gradients from the x given. Collective.
///
/// Source: HPCG 3.1, CG_ref.cpp.
Convergence solve(Kernels& kernels, Workspace& space, const Vector& b, Vector& x, const Solve& how,
                  Times& times);

/// Conjugate gradients on a matrix whose diagonal dominates: few iterations must do, whatever the size.
struct SpectralTest {
  static constexpr int most_unpreconditioned = 12;
  static constexpr int most_preconditioned = 2;
  int unpreconditioned = 0;  ///< iterations of the slowest run
  int preconditioned = 0;
  [[nodiscard]] bool passed() const {
    return unpreconditioned <= most_unpreconditioned && preconditioned <= most_preconditioned;
  }
};

/// How far product and preconditioner are from symmetric: |x'Ay - y'Ax| in units of the rounding that
/// the norms allow.
struct SymmetryTest {
  double product = 0;
  double multigrid = 0;
  [[nodiscard]] bool passed() const { return product <= 1 && multigrid <= 1; }
};

/// Whether all timed sets end with the same residual.
struct NormTest {
  double mean = 0;
  double variance = 0;
  [[nodiscard]] bool passed() const { return variance < 1e-6; }
};

/// Collective; the matrix is unchanged after it. `log` is null on all ranks but the first.
///
/// Source: HPCG 3.1, TestCG.cpp.
SpectralTest test_spectrum(Kernels& kernels, Workspace& space, const Vector& b, std::FILE* log);

/// Collective. Source: HPCG 3.1, TestSymmetry.cpp.
SymmetryTest test_symmetry(Kernels& kernels, std::FILE* log);

/// Source: HPCG 3.1, TestNorms.cpp.
NormTest test_norms(const std::vector<double>& residuals);

/// Numbers from 1 to 2, on each rank others.
Vector random_vector(std::size_t size, unsigned seed);

}  // namespace hpcg
