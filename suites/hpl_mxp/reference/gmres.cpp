#include "suites/hpl_mxp/reference/gmres.hpp"

#include <cblas.h>
#include <mpi.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace hpl_mxp {
namespace {

using Vector = std::vector<double>;

constexpr int kMostIterations = 50;
constexpr double kEps = 0x1p-53;

double dot(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

void add_multiple(double factor, const Vector& x, Vector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * x[i];
}

void scale(double factor, Vector& x) {
  for (double& value : x) value *= factor;
}

/// The first rank's value on all ranks: vectors are summed on each rank, which may differ in the last bit,
/// and all must take the same branch.
bool agreed(const Grid& grid, bool mine) {
  int value = mine ? 1 : 0;
  MPI_Bcast(&value, 1, MPI_INT, 0, grid.all);
  return value == 1;
}

/// The rotation (c, s) that turns (a, b) into (r, 0).
struct Rotation {
  double c = 1;
  double s = 0;
  void apply(double& a, double& b) const {
    const double first = c * a + s * b;
    b = c * b - s * a;
    a = first;
  }
};

Rotation rotation(double a, double b) {
  const double r = std::hypot(a, b);
  return r > 0 ? Rotation{a / r, b / r} : Rotation{};
}

/// One round of flexible GMRES from a residual.
class Round {
 public:
  Round(const LinearSystem& system, Preconditioner& factors, Vector residual)
      : system_(system), factors_(factors), g_{std::sqrt(dot(residual, residual))} {
    scale(1 / g_[0], residual);
    V_.push_back(std::move(residual));
  }

  /// ||b - A x||_2 of the best x so far, as GMRES estimates it.
  [[nodiscard]] double estimate() const { return std::fabs(g_.back()); }

  void iterate() {
    Z_.push_back(factors_.solve(V_.back()));
    Vector w = system_.times(Z_.back());
    Vector h;
    for (const Vector& v : V_) {
      h.push_back(dot(w, v));
      add_multiple(-h.back(), v, w);
    }
    double below = std::sqrt(dot(w, w));
    if (below > 0) scale(1 / below, w);
    V_.push_back(std::move(w));
    for (std::size_t i = 0; i < rotations_.size(); ++i) rotations_[i].apply(h[i], h[i + 1]);
    rotations_.push_back(rotation(h.back(), below));
    rotations_.back().apply(h.back(), below);
    g_.push_back(0);
    rotations_.back().apply(g_[g_.size() - 2], g_.back());
    H_.push_back(std::move(h));
  }

  /// Adds to x what makes the estimate true.
  void correct(Vector& x) const {
    Vector y(Z_.size());
    for (std::size_t i = Z_.size(); i-- > 0;) {
      double sum = g_[i];
      for (std::size_t j = i + 1; j < Z_.size(); ++j) sum -= H_[j][i] * y[j];
      y[i] = sum / H_[i][i];
    }
    for (std::size_t i = 0; i < Z_.size(); ++i) add_multiple(y[i], Z_[i], x);
  }

 private:
  const LinearSystem& system_;
  Preconditioner& factors_;
  std::vector<Vector> V_;  ///< orthonormal basis
  std::vector<Vector> Z_;  ///< what the factors make of each
  std::vector<Vector> H_;  ///< columns of the triangular factor of the Hessenberg matrix
  std::vector<Rotation> rotations_;
  Vector g_;
};

}  // namespace

double target(int N) {
  constexpr double least = 4;  // for orders so small that single roundings count
  return std::max(least, std::sqrt(N)) / N;
}

double norm_oo(const std::vector<double>& vector) {
  double result = 0;
  for (const double value : vector)
    if (std::fabs(value) > result || std::isnan(value)) result = std::fabs(value);
  return result;
}

double scaled_residual(const LinearSystem& system, const std::vector<double>& x,
                       const std::vector<double>& residual) {
  return norm_oo(residual) /
         (kEps * (system.norm() * norm_oo(x) + norm_oo(system.b)) * static_cast<double>(x.size()));
}

Refined refine(const LinearSystem& system, Preconditioner& factors) {
  const int N = system.entries.N;
  Refined refined;
  refined.x = factors.solve(system.b);
  for (;;) {
    Vector residual = system.residual(refined.x);
    refined.residuals.push_back(norm_oo(residual));
    const double scaled = scaled_residual(system, refined.x, residual);
    const bool ended = scaled <= target(N) || !std::isfinite(scaled) || refined.iterations >= kMostIterations;
    if (agreed(system.grid, ended)) return refined;
    Round round(system, factors, std::move(residual));
    // The numbers of a residual are of one size: its largest is a few times their root mean square.
    const double enough = round.estimate() * target(N) / scaled / 2;
    do {
      round.iterate();
      ++refined.iterations;
    } while (agreed(system.grid, round.estimate() > enough && refined.iterations < kMostIterations));
    round.correct(refined.x);
  }
}

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

/// Subtracts the block's part from the next block, from the others later.
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
