#include "suites/hpl/reference/residual.hpp"

#include <algorithm>
#include <cmath>

namespace hpl {
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
