#include "suites/hpcg/reference/kernels.hpp"

namespace hpcg {

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
