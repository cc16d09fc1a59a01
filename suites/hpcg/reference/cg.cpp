#include "suites/hpcg/reference/cg.hpp"

#include <cmath>

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

}  // namespace hpcg
