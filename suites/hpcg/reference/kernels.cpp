#include "suites/hpcg/reference/kernels.hpp"

namespace hpcg {
namespace {

/// Every second point in each direction.
Array<int> injected_points(const Box& fine, const Box& coarse) {
  Array<int> points(coarse.cells());
#pragma omp parallel for schedule(static)
  for (int z = 0; z < coarse.z; ++z)
    for (int y = 0; y < coarse.y; ++y)
      for (int x = 0; x < coarse.x; ++x)
        points[(z * coarse.y + y) * coarse.x + x] = (2 * z * fine.y + 2 * y) * fine.x + 2 * x;
  return points;
}

}  // namespace

std::vector<Level> generate_levels(const Geometry& finest) {
  std::vector<Level> levels;
  levels.push_back({.system = generate(finest), .injected = {}, .residual = {}, .correction = {}});
  while (levels.size() < kLevels) {
    Level& fine = levels.back();
    Level coarse{
        .system = generate(coarser(fine.system.geometry)), .injected = {}, .residual = {}, .correction = {}};
    fine.injected = injected_points(fine.system.geometry.local, coarse.system.geometry.local);
    coarse.residual = zeroes(coarse.system.rows());
    coarse.correction = zeroes(coarse.system.columns());
    levels.push_back(std::move(coarse));
  }
  return levels;
}

double sum_of_all(double value, Times& times) {
  const Timed timed(times.allreduce);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

double Kernels::product_dot(Vector& x, Vector& y, Times& times) {
  product(x, y, times);
  return dot(x, y, times);
}

double Kernels::descend(double alpha, const Vector& p, const Vector& Ap, Vector& x, Vector& r, Times& times) {
  combine(1, x, alpha, p, x, times);
  combine(1, r, -alpha, Ap, r, times);
  return dot(r, r, times);
}

double Kernels::dot(const Vector& x, const Vector& y, Times& times) const {
  const Timed timed(times.dot);
  const double* const a = x.data();
  const double* const b = y.data();
  const int count = rows();
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum_of_all(sum, times);
}

void Kernels::combine(double alpha, const Vector& x, double beta, const Vector& y, Vector& w,
                      Times& times) const {
  const Timed timed(times.combine);
  const double* const a = x.data();
  const double* const b = y.data();
  double* const c = w.data();
  const int count = rows();
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < count; ++i) c[i] = alpha * a[i] + beta * b[i];
}

}  // namespace hpcg
