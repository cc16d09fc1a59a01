#include "suites/hpcg/reference/optimised.hpp"

#include <array>

namespace hpcg {
namespace {

constexpr std::array kMeasures = {
    "the matrix is stored as L + D + U in contiguous arrays in the order of the sweeps; a column is stored "
    "as its distance from the row in 16 bits where it fits, else as a 32-bit local index",
    "the first forward sweep starts from zero and reads L alone; the sweep back reads U alone",
    "the first sweep back keeps U x; the second forward sweep reads L, and of U the columns that the coarse "
    "grid corrects",
    "the second forward sweep keeps r - L x for the sweep back, which reads U alone",
    "the fine residual is computed where the restriction takes it",
    "the halo of the zero guess is not exchanged",
    "division by the diagonal is multiplication by its inverse",
    "p'Ap is summed while Ap is computed; the updates of x and r and the sum r'r are one pass",
    "the entries of rows ahead of a sweep are prefetched; arrays ask for huge pages",
    "rows that don't refer to each other are relaxed by several threads, with the result of the sweep in "
    "order",
};

/// Books the time since `begin` to two kernels that one loop computes, by their share of the operations.
void book(double begin, double share, double& first, double& second) {
  const double seconds = MPI_Wtime() - begin;
  first += share * seconds;
  second += (1 - share) * seconds;
}

}  // namespace

OptimisedKernels::OptimisedKernels(std::vector<Level>& levels, int threads)
    : Kernels(levels), threads_(threads) {
  for (Level& level : levels) {
    SparseMatrix& plain = level.system.matrix;
    matrices_.emplace_back(plain, level.injected, threads);
    plain.start = {};
    plain.column = {};
    plain.value = {};
    plain.diagonal = {};
    if (level.injected.size() > 0) kept_.push_back(zeroes(level.system.rows()));
  }
}

void OptimisedKernels::product(Vector& x, Vector& y, Times& times) {
  const Timed timed(times.product);
  levels_.front().system.halo.exchange(x.data());
  matrices_.front().multiply_dot(x.data(), y.data());
}

double OptimisedKernels::product_dot(Vector& x, Vector& y, Times& times) {
  const double begin = MPI_Wtime();
  levels_.front().system.halo.exchange(x.data());
  const double own = matrices_.front().multiply_dot(x.data(), y.data());
  const double terms = static_cast<double>(finest().system.matrix.all_nonzeros);
  const double rows = static_cast<double>(finest().system.matrix.all_rows);
  book(begin, terms / (terms + rows), times.product, times.dot);
  const Timed timed(times.dot);
  return sum_of_all(own, times);
}

void OptimisedKernels::precondition(const Vector& r, Vector& z, Times& times) {
  const Timed timed(times.multigrid);
  cycle(0, r, z);
}

void OptimisedKernels::cycle(int level, const Vector& r, Vector& x) {
  System& system = levels_[level].system;
  SplitMatrix& A = matrices_[level];
  system.halo.zero(x.data());
  A.forward_from_zero(r.data(), x.data());
  if (level + 1 == kLevels) return A.backward_from_zero(x.data());
  double* const kept = kept_[level].data();
  A.backward_from_zero(x.data(), kept);
  Level& coarse = levels_[level + 1];
  system.halo.exchange(x.data());
  A.restrict_residual(r.data(), x.data(), kept, coarse.residual.data());
  cycle(level + 1, coarse.residual, coarse.correction);
  // The other ranks take corrected values for their halo.
  const Array<int>& injected = levels_[level].injected;
  const int points = coarse.system.rows();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < points; ++i) x[injected[i]] += coarse.correction[i];
  system.halo.exchange(x.data());
  A.forward(r.data(), coarse.correction.data(), x.data(), kept);
  A.backward(kept, x.data());
}

double OptimisedKernels::descend(double alpha, const Vector& p, const Vector& Ap, Vector& x, Vector& r,
                                 Times& times) {
  const double begin = MPI_Wtime();
  const double* const direction = p.data();
  const double* const change = Ap.data();
  double* const solution = x.data();
  double* const residual = r.data();
  const int count = rows();
  double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (int i = 0; i < count; ++i) {
    solution[i] += alpha * direction[i];
    residual[i] -= alpha * change[i];
    sum += residual[i] * residual[i];
  }
  constexpr double share = 4.0 / 6;  // operations of two combinations, and of one dot product
  book(begin, share, times.combine, times.dot);
  const Timed timed(times.dot);
  return sum_of_all(sum, times);
}

void OptimisedKernels::replace_diagonal(const Vector& diagonal) {
  matrices_.front().replace_diagonal(diagonal);
}

std::size_t OptimisedKernels::bytes() const {
  std::size_t total = 0;
  for (const SplitMatrix& matrix : matrices_) total += matrix.bytes();
  for (const Vector& kept : kept_) total += kept.bytes();
  return total;
}

std::span<const char* const> OptimisedKernels::measures() const {
  return std::span(kMeasures).first(kMeasures.size() - (threads_ > 1 ? 0 : 1));
}

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
