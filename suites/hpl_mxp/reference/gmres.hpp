#pragma once
#include <functional>
#include <vector>

#include "suites/hpl_mxp/reference/system.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl_mxp {

/// Solves L U z = r with the FP32 factors of LU in the matrix, in FP32.
///
/// Column-oriented substitution by blocks. Each process column accumulates what its own part of the solution
/// subtracts from the rest; the block that comes next is updated and summed first, so that the process
/// columns work at the same time.
class Preconditioner {
 public:
  Preconditioner(const Grid& grid, const Matrix& matrix);

  /// z, all N numbers on each rank, as is r. Collective over the grid.
  std::vector<double> solve(const std::vector<double>& r);

 private:
  /// Columns of a block whose part is still to be taken away from local rows [begin, end).
  struct Late {
    int column = 0;
    int width = 0;
    int begin = 0;
    int end = 0;
  };
  enum class Factor { L, U };

  void substitute(Factor factor);
  void sum_block(int first, int width);
  void solve_block(Factor factor, int first, int width);
  void take_away_next(Factor factor, int first, int width);
  void take_away(const Late& part);

  const Grid& grid_;
  const Matrix& matrix_;
  std::vector<float> x_;  ///< for local columns: right-hand side where the diagonal block is, then solution
  std::vector<float> away_;  ///< for local rows: what this process column takes away
  std::vector<float> sum_;
  Late late_;
};

/// A solution and how it was reached.
struct Refined {
  std::vector<double> x;
  /// ||b - A x||_oo of the solution by the factors alone, then after each round of GMRES.
  std::vector<double> residuals;
  int iterations = 0;  ///< of GMRES, each with one product and one solution by the factors
};

/// Scaled residual to be expected of LU in FP64, below the 16 that the rules require.
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
