#include "suites/hpcg/reference/array.hpp"

namespace hpcg {

Vector zeroes(std::size_t size) {
  Vector v(size);
  fill(v, 0);
  return v;
}

void fill(Vector& v, double value) {
  double* const data = v.data();
  const std::size_t size = v.size();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < size; ++i) data[i] = value;
}

void copy(const Vector& from, Vector& to, std::size_t count) {
  const double* const source = from.data();
  double* const target = to.data();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) target[i] = source[i];
}

}  // namespace hpcg
