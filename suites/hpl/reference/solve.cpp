#include "suites/hpl/reference/solve.hpp"

#include <cblas.h>
#include <algorithm>
#include <cmath>

namespace hpl {
namespace {

/// Column-oriented back substitution by blocks, from the last to the first. Each process column accumulates
/// what its own part of x subtracts from y; the block that comes next is updated and summed first, so that
/// the process columns work at the same time.
class BackSubstitution {
 public:
  BackSubstitution(const Grid& grid, const Matrix& matrix)
      : grid_(grid), matrix_(matrix), x_(matrix.columns), y_(matrix.rows), sum_(matrix.NB) {
    if (matrix.holds_b())
      for (int i = 0; i < matrix.rows; ++i) y_[i] = *matrix.at(i, matrix.column.local(matrix.N));
  }

  std::vector<double> solve() {
    for (int first = (matrix_.N - 1) / matrix_.NB * matrix_.NB; matrix_.N > 0 && first >= 0;
         first -= matrix_.NB) {
      const int width = std::min(matrix_.NB, matrix_.N - first);
      sum_right_hand_side(first, width);
      if (grid_.q != matrix_.column.owner(first)) continue;
      solve_block(first, width);
      const int above = matrix_.row.local_count(first, grid_.p);
      const int next = matrix_.row.local_count(std::max(0, first - matrix_.NB), grid_.p);
      subtract(first, width, next, above);
      late_ = {first, width, next};
    }
    return x_;
  }

 private:
  /// Rows [0, rows) of columns first.. that are still to be applied.
  struct Late {
    int first = 0;
    int width = 0;
    int rows = 0;
  };

  /// y of the block, summed over its process row where its columns are.
  void sum_right_hand_side(int first, int width) {
    const int root = matrix_.column.owner(first);
    if (grid_.p == matrix_.row.owner(first)) {
      double* mine = y_.data() + matrix_.row.local(first);
      MPI_Reduce(mine, sum_.data(), width, MPI_DOUBLE, MPI_SUM, root, grid_.row);
      if (grid_.q == root) std::copy_n(sum_.data(), width, mine);
    }
    subtract(late_.first, late_.width, 0, late_.rows);
    late_ = {};
  }

  void solve_block(int first, int width) {
    double* x = x_.data() + matrix_.column.local(first);
    const int root = matrix_.row.owner(first);
    if (grid_.p == root) {
      const int row = matrix_.row.local(first);
      std::copy_n(y_.data() + row, width, x);
      cblas_dtrsv(CblasRowMajor, CblasUpper, CblasNoTrans, CblasNonUnit, width,
                  matrix_.at(row, matrix_.column.local(first)), static_cast<int>(matrix_.ld), x, 1);
    }
    MPI_Bcast(x, width, MPI_DOUBLE, root, grid_.column);
  }

  /// y of local rows [begin, end) minus the block's columns times its x.
  void subtract(int first, int width, int begin, int end) {
    if (end <= begin || width == 0) return;
    const int column = matrix_.column.local(first);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, end - begin, width, -1.0, matrix_.at(begin, column),
                static_cast<int>(matrix_.ld), x_.data() + column, 1, 1.0, y_.data() + begin, 1);
  }

  const Grid& grid_;
  const Matrix& matrix_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> sum_;
  Late late_;
};

}  // namespace

std::vector<double> back_substitute(const Grid& grid, const Matrix& matrix) {
  return BackSubstitution(grid, matrix).solve();
}

namespace {

/// The largest value, or nan where there is one: a maximum that drops nan would hide a failed solve.
void keep_larger(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  const auto* theirs = static_cast<const double*>(in);
  auto* ours = static_cast<double*>(inout);
  for (int i = 0; i < *count; ++i)
    if (theirs[i] > ours[i] || std::isnan(theirs[i])) ours[i] = theirs[i];
}

double largest(const std::vector<double>& magnitudes, MPI_Comm comm) {
  double result = 0;
  for (const double value : magnitudes)
    if (std::fabs(value) > result || std::isnan(value)) result = std::fabs(value);
  MPI_Op larger = MPI_OP_NULL;
  MPI_Op_create(keep_larger, 1, &larger);
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_DOUBLE, larger, comm);
  MPI_Op_free(&larger);
  return result;
}

void sum(std::vector<double>& values, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, comm);
}

}  // namespace

Residual residual(const Grid& grid, const Matrix& matrix, const std::vector<double>& x) {
  matrix.generate();
  const int columns_of_A = matrix.columns - (matrix.holds_b() ? 1 : 0);
  std::vector<double> row_sums(matrix.rows);
  std::vector<double> column_sums(columns_of_A);
  std::vector<double> Ax_b(matrix.rows);
  std::vector<double> b;
  for (int i = 0; i < matrix.rows; ++i) {
    const double* entry = matrix.at(i, 0);
    for (int j = 0; j < columns_of_A; ++j) {
      const double magnitude = std::fabs(entry[j]);
      row_sums[i] += magnitude;
      column_sums[j] += magnitude;
      Ax_b[i] += entry[j] * x[j];
    }
    if (matrix.holds_b()) {
      b.push_back(entry[columns_of_A]);
      Ax_b[i] -= b.back();
    }
  }
  sum(row_sums, grid.row);
  sum(Ax_b, grid.row);
  sum(column_sums, grid.column);
  const std::vector<double> x_of_A(x.begin(), x.begin() + columns_of_A);

  Residual result;
  result.Ax_b_oo = largest(Ax_b, grid.all);
  result.A_oo = largest(row_sums, grid.all);
  result.A_1 = largest(column_sums, grid.all);
  result.x_oo = largest(x_of_A, grid.all);
  result.b_oo = largest(b, grid.all);
  for (const double value : x_of_A) result.x_1 += std::fabs(value);
  MPI_Allreduce(MPI_IN_PLACE, &result.x_1, 1, MPI_DOUBLE, MPI_SUM, grid.row);
  if (matrix.N > 0)
    result.scaled = result.Ax_b_oo / (Residual::eps * (result.A_oo * result.x_oo + result.b_oo) * matrix.N);
  return result;
}

}  // namespace hpl
