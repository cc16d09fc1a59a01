#pragma once
#include <vector>

#include "suites/hpl/reference/matrix.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl {

/// Solves U x = y after the factorisation, y being b's column. Collective over the grid. Each rank gets the
/// entries of x that belong to its columns, in their local order.
std::vector<double> back_substitute(const Grid& grid, const Matrix& matrix);

/// HPL's check of a solution. eps is the relative machine precision in LAPACK's sense, half an ulp of 1:
/// 2^-53, as HPL_dlamch(HPL_MACH_EPS) finds it where arithmetic rounds.
///
/// Source: HPL 2.3, testing/ptest/HPL_pdtest.c, src/auxil/HPL_dlamch.c.
struct Residual {
  static constexpr double eps = 0x1p-53;

  double scaled = 0;  ///< ||Ax-b||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) N); 0 where N is 0
  double Ax_b_oo = 0;
  double A_oo = 0;
  double A_1 = 0;
  double x_oo = 0;
  double x_1 = 0;
  double b_oo = 0;
};

/// The residual of x against a freshly generated [A | b], which replaces what `matrix` held. Collective over
/// the grid; every rank gets the same values. `x` is what back_substitute returned.
Residual residual(const Grid& grid, const Matrix& matrix, const std::vector<double>& x);

}  // namespace hpl
