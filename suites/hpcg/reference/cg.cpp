#include "suites/hpcg/reference/cg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace hpcg {

Workspace::Workspace(const Kernels& kernels)
    : r(zeroes(kernels.rows())),
      z(zeroes(kernels.columns())),
      p(zeroes(kernels.columns())),
      Ap(zeroes(kernels.rows())) {}

Convergence solve(Kernels& kernels, Workspace& space, const Vector& b, Vector& x, const Solve& how,
                  Times& times) {
  const Timed timed(times.total);
  auto& [r, z, p, Ap] = space;
  const int rows = kernels.rows();
  copy(x, p, rows);
  kernels.product(p, Ap, times);
  kernels.combine(1, b, -1, Ap, r, times);
  const double first = std::sqrt(kernels.dot(r, r, times));
  Convergence reached{.iterations = 0, .residual = 1};
  double rz = 0;
  for (int k = 1; k <= how.most_iterations && reached.residual > how.tolerance; ++k) {
    if (how.preconditioned) {
      kernels.precondition(r, z, times);
    } else {
      const Timed combining(times.combine);
      copy(r, z, rows);
    }
    const double before = rz;
    if (k == 1) {
      const Timed combining(times.combine);
      copy(z, p, rows);
    }
    rz = kernels.dot(r, z, times);
    if (k > 1) kernels.combine(1, z, rz / before, p, p, times);
    const double alpha = rz / kernels.product_dot(p, Ap, times);
    reached = {.iterations = k, .residual = std::sqrt(kernels.descend(alpha, p, Ap, x, r, times)) / first};
    if (how.watch) how.watch(k, reached.residual);
  }
  return reached;
}

namespace {

constexpr double kMatrixNorm = 2 * 26.0;
constexpr double kDiagonal = 26;

/// A million times the diagonal, and from two to ten times that in the first nine rows of all.
double exaggeration(std::int64_t global_row) {
  constexpr double much = 1e6;
  return global_row < 9 ? static_cast<double>(global_row + 2) * much : much;
}

std::int64_t global_row(const Geometry& g, int row) {
  const int x = row % g.local.x;
  const int y = row / g.local.x % g.local.y;
  const int z = row / g.local.x / g.local.y;
  return ((g.origin[2] + z) * g.global[1] + g.origin[1] + y) * g.global[0] + g.origin[0] + x;
}

/// |x'Cy - y'Cx| over its rounding, of the operator that `apply` is.
template <class Apply>
double departure(Kernels& kernels, Vector& x, Vector& y, Vector& image, Apply apply) {
  Times unused;
  apply(y, image);
  const double xCy = kernels.dot(x, image, unused);
  apply(x, image);
  const double yCx = kernels.dot(y, image, unused);
  const double scale = 2 * kernels.dot(x, x, unused) * kMatrixNorm * kernels.dot(y, y, unused);
  return std::fabs(xCy - yCx) / (scale * std::numeric_limits<double>::epsilon());
}

}  // namespace

Vector random_vector(std::size_t size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(1, 2);
  Vector v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = uniform(engine);
  return v;
}

SpectralTest test_spectrum(Kernels& kernels, Workspace& space, const Vector& b, std::FILE* log) {
  const int rows = kernels.rows();
  Vector exaggerated(rows);
  Vector rhs(rows);
  Vector original(rows);
  fill(original, kDiagonal);
  for (int row = 0; row < rows; ++row) {
    const double factor = exaggeration(global_row(kernels.finest().system.geometry, row));
    exaggerated[row] = kDiagonal * factor;
    rhs[row] = b[row] * factor;
  }
  kernels.replace_diagonal(exaggerated);
  SpectralTest test;
  Vector x(rows);
  Times unused;
  constexpr int runs = 2;
  for (const bool preconditioned : {false, true})
    for (int run = 0; run < runs; ++run) {
      fill(x, 0);
      const Convergence reached = solve(kernels, space, rhs, x,
                                        {.most_iterations = 50,
                                         .tolerance = 1e-12 * (1 + 1e-6),
                                         .preconditioned = preconditioned,
                                         .watch = {}},
                                        unused);
      int& slowest = preconditioned ? test.preconditioned : test.unpreconditioned;
      // A residual that is no number ends the solve as if it had converged.
      const int iterations = std::isfinite(reached.residual) ? reached.iterations : 50;
      slowest = std::max(slowest, iterations);
      if (log != nullptr)
        std::fprintf(log, "Call [%d] Number of Iterations [%d] Scaled Residual [%g]\n", run,
                     reached.iterations, reached.residual);
    }
  kernels.replace_diagonal(original);
  return test;
}

SymmetryTest test_symmetry(Kernels& kernels, std::FILE* log) {
  const auto rank = static_cast<unsigned>(kernels.finest().system.geometry.rank);
  Vector x = random_vector(kernels.columns(), 2 * rank + 1);
  Vector y = random_vector(kernels.columns(), 2 * rank + 2);
  Vector image = zeroes(kernels.columns());
  Times unused;
  SymmetryTest test;
  test.product =
      departure(kernels, x, y, image, [&](Vector& v, Vector& Av) { kernels.product(v, Av, unused); });
  test.multigrid =
      departure(kernels, x, y, image, [&](Vector& v, Vector& Mv) { kernels.precondition(v, Mv, unused); });
  if (log != nullptr) {
    std::fprintf(log, "Departure from symmetry (scaled) for SpMV abs(x'*A*y - y'*A*x) = %g\n", test.product);
    std::fprintf(log, "Departure from symmetry (scaled) for MG abs(x'*Minv*y - y'*Minv*x) = %g\n",
                 test.multigrid);
  }
  return test;
}

NormTest test_norms(const std::vector<double>& residuals) {
  const auto count = static_cast<double>(residuals.size());
  NormTest test;
  double sum = 0;
  for (const double residual : residuals) sum += residual - residuals.front();
  test.mean = residuals.front() + sum / count;
  double squares = 0;
  for (const double residual : residuals) squares += (residual - test.mean) * (residual - test.mean);
  test.variance = squares / count;
  return test;
}

}  // namespace hpcg
