#include "suites/hpl_mxp/reference/preconditioner.hpp"

#include <cblas.h>
#include <mpi.h>

#include <algorithm>

namespace hpl_mxp {

Preconditioner::Preconditioner(const Grid& grid, const Matrix& matrix)
    : grid_(grid), matrix_(matrix), x_(matrix.columns), away_(matrix.rows), sum_(matrix.NB) {}

std::vector<double> Preconditioner::solve(const std::vector<double>& r) {
  for (int j = 0; j < matrix_.columns; ++j)
    x_[j] = static_cast<float>(r[matrix_.column.global(j, matrix_.q)]);
  substitute(Factor::L);
  substitute(Factor::U);
  // The whole process column has its part of the solution: one process row of them gives it to all.
  std::vector<double> z(matrix_.N);
  if (grid_.p == 0)
    for (int j = 0; j < matrix_.columns; ++j) z[matrix_.column.global(j, matrix_.q)] = x_[j];
  MPI_Allreduce(MPI_IN_PLACE, z.data(), matrix_.N, MPI_DOUBLE, MPI_SUM, grid_.all);
  return z;
}

void Preconditioner::substitute(Factor factor) {
  std::fill(away_.begin(), away_.end(), 0.0F);
  late_ = {};
  const int blocks = (matrix_.N + matrix_.NB - 1) / matrix_.NB;
  for (int i = 0; i < blocks; ++i) {
    const int first = (factor == Factor::L ? i : blocks - 1 - i) * matrix_.NB;
    const int width = std::min(matrix_.NB, matrix_.N - first);
    sum_block(first, width);
    if (grid_.q != matrix_.column.owner(first)) continue;
    solve_block(factor, first, width);
    take_away_next(factor, first, width);
  }
}

/// What all process columns take away from the block, summed where its diagonal block is.
void Preconditioner::sum_block(int first, int width) {
  const int root = matrix_.column.owner(first);
  if (grid_.p == matrix_.row.owner(first)) {
    MPI_Reduce(away_.data() + matrix_.row.local(first), sum_.data(), width, MPI_FLOAT, MPI_SUM, root,
               grid_.row);
    if (grid_.q == root)
      for (int i = 0; i < width; ++i) x_[matrix_.column.local(first) + i] -= sum_[i];
  }
  take_away(late_);
  late_ = {};
}

void Preconditioner::solve_block(Factor factor, int first, int width) {
  float* x = x_.data() + matrix_.column.local(first);
  const int root = matrix_.row.owner(first);
  if (grid_.p == root)
    cblas_strsv(CblasColMajor, factor == Factor::L ? CblasLower : CblasUpper, CblasNoTrans,
                factor == Factor::L ? CblasUnit : CblasNonUnit, width,
                matrix_.at(matrix_.row.local(first), matrix_.column.local(first)),
                static_cast<int>(matrix_.ld), x, 1);
  if (grid_.P > 1) MPI_Bcast(x, width, MPI_FLOAT, root, grid_.column);
}

/// Takes the block's part away from the block that comes next, and leaves the others for later.
void Preconditioner::take_away_next(Factor factor, int first, int width) {
  const int column = matrix_.column.local(first);
  const auto local = [&](int global) {
    return matrix_.row.local_count(std::clamp(global, 0, matrix_.N), grid_.p);
  };
  if (factor == Factor::L) {
    const int next = local(first + width);
    const int after = local(first + width + matrix_.NB);
    take_away({column, width, next, after});
    late_ = {column, width, after, matrix_.rows};
  } else {
    const int next = local(first - matrix_.NB);
    take_away({column, width, next, local(first)});
    late_ = {column, width, 0, next};
  }
}

void Preconditioner::take_away(const Late& part) {
  if (part.end <= part.begin) return;
  cblas_sgemv(CblasColMajor, CblasNoTrans, part.end - part.begin, part.width, 1.0F,
              matrix_.at(part.begin, part.column), static_cast<int>(matrix_.ld), x_.data() + part.column, 1,
              1.0F, away_.data() + part.begin, 1);
}

}  // namespace hpl_mxp
