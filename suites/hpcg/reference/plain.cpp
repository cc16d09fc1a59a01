#include "suites/hpcg/reference/plain.hpp"

namespace hpcg {
namespace {

void multiply(System& system, Vector& x, Vector& y) {
  system.halo.exchange(x.data());
  const SparseMatrix& A = system.matrix;
  const double* const values = A.value.data();
  const int* const columns = A.column.data();
  const int* const start = A.start.data();
  const double* const from = x.data();
  double* const to = y.data();
#pragma omp parallel for schedule(static)
  for (int row = 0; row < A.rows; ++row) {
    double sum = 0;
    for (int entry = start[row]; entry < start[row + 1]; ++entry) sum += values[entry] * from[columns[entry]];
    to[row] = sum;
  }
}

/// Solves one row for its own unknown with the others as they are.
inline void relax(const SparseMatrix& A, int row, const double* r, double* x) {
  const double* const values = A.value.data();
  const int* const columns = A.column.data();
  const double diagonal = values[A.diagonal[row]];
  const int end = A.start[row + 1];
  double sum = r[row];
  for (int entry = A.start[row]; entry < end; ++entry) sum -= values[entry] * x[columns[entry]];
  sum += x[row] * diagonal;
  x[row] = sum / diagonal;
}

/// A forward and a backward sweep of Gauss-Seidel; the halo is as old in both.
void smooth(System& system, const Vector& r, Vector& x) {
  system.halo.exchange(x.data());
  const SparseMatrix& A = system.matrix;
  const double* const rhs = r.data();
  double* const solution = x.data();
  for (int row = 0; row < A.rows; ++row) relax(A, row, rhs, solution);
  for (int row = A.rows - 1; row >= 0; --row) relax(A, row, rhs, solution);
}

}  // namespace

PlainKernels::PlainKernels(std::vector<Level>& levels) : Kernels(levels) {
  for (const Level& level : levels)
    if (level.injected.size() > 0) products_.push_back(zeroes(level.system.rows()));
}

void PlainKernels::product(Vector& x, Vector& y, Times& times) {
  const Timed timed(times.product);
  multiply(levels_.front().system, x, y);
}

void PlainKernels::precondition(const Vector& r, Vector& z, Times& times) {
  const Timed timed(times.multigrid);
  cycle(0, r, z);
}

void PlainKernels::cycle(int level, const Vector& r, Vector& x) {
  System& system = levels_[level].system;
  fill(x, 0);
  smooth(system, r, x);
  if (level + 1 == kLevels) return;
  Vector& Ax = products_[level];
  multiply(system, x, Ax);
  const Array<int>& injected = levels_[level].injected;
  Level& coarse = levels_[level + 1];
  const int points = coarse.system.rows();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < points; ++i) coarse.residual[i] = r[injected[i]] - Ax[injected[i]];
  cycle(level + 1, coarse.residual, coarse.correction);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < points; ++i) x[injected[i]] += coarse.correction[i];
  smooth(system, r, x);
}

void PlainKernels::replace_diagonal(const Vector& diagonal) {
  SparseMatrix& A = levels_.front().system.matrix;
  for (int row = 0; row < A.rows; ++row) A.value[A.diagonal[row]] = diagonal[row];
}

}  // namespace hpcg
