#pragma once

#include <vector>

#include "suites/hpl_mxp/reference/matrix.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl_mxp {

/// Solves L U z = r with the FP32 factors that LU left in the matrix, in FP32.
///
/// Column-oriented substitution by blocks. Each process column keeps what its own part of the solution takes
/// away from the rest; the block that comes next is updated and summed first, so that the process columns
/// work at the same time.
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

}  // namespace hpl_mxp
