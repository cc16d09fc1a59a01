#pragma once

#include <functional>

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

}  // namespace hpcg
