#pragma once

#include <functional>
#include <vector>

#include "suites/hpl_mxp/reference/preconditioner.hpp"
#include "suites/hpl_mxp/reference/system.hpp"

namespace hpl_mxp {

/// A solution and how it was reached.
struct Refined {
  std::vector<double> x;
  /// ||b - A x||_oo of the solution by the factors alone, then after each round of GMRES.
  std::vector<double> residuals;
  int iterations = 0;  ///< of GMRES, each with one product and one solution by the factors
};

/// Scaled residual that LU in FP64 may be expected to leave, below the 16 that the rules ask for.
double target(int N);

/// ||b - A x||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) N), eps = 2^-53. Nan where the residual holds one.
double scaled_residual(const LinearSystem& system, const std::vector<double>& x,
                       const std::vector<double>& residual);

/// The largest magnitude, or nan where there is one.
double norm_oo(const std::vector<double>& vector);

/// Solves by the FP32 factors, then with them as the preconditioner of a flexible GMRES in FP64, in rounds of
/// as many iterations as the estimated residual asks for, until the true one meets `target` or after 50
/// iterations. Collective over the grid.
///
/// Source: Y. Saad, A flexible inner-outer preconditioned GMRES algorithm, SIAM J. Sci. Comput. 14 (1993);
/// hpl-mxp.org, rules (GMRES with the low-precision factors).
Refined refine(const LinearSystem& system, Preconditioner& factors);

}  // namespace hpl_mxp
