#include "suites/stream/reference/arrays.hpp"

#include <cmath>
#include <limits>

namespace stream {
namespace {

constexpr double kScalar = 3;
constexpr std::array<double, 3> kFirst = {2, 2, 0};  // STREAM doubles a, 1, to time itself

double largest_error(const double* values, std::size_t elements, double expected) {
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (std::size_t i = 0; i < elements; ++i) {
    const double error = std::fabs((values[i] - expected) / expected);
    if (!(error <= most)) most = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  }
  return most;
}

}  // namespace

Arrays::Arrays(std::size_t elements)
    : elements_(elements), a_(memory(elements)), b_(memory(elements)), c_(memory(elements)) {}

Arrays::Memory Arrays::memory(std::size_t elements) {
  constexpr std::size_t line = 64;
  return Memory(
      static_cast<double*>(std::aligned_alloc(line, (elements * sizeof(double) / line + 1) * line)));
}

void Arrays::fill() {
  double* const a = a_.get();
  double* const b = b_.get();
  double* const c = c_.get();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < elements_; ++i) {
    a[i] = kFirst[0];
    b[i] = kFirst[1];
    c[i] = kFirst[2];
  }
}

void Arrays::run(std::size_t kernel) {
  double* const a = a_.get();
  double* const b = b_.get();
  double* const c = c_.get();
  const std::size_t elements = elements_;
  switch (kernel) {
    case 0:
#pragma omp parallel for simd schedule(static)
      for (std::size_t i = 0; i < elements; ++i) c[i] = a[i];
      break;
    case 1:
#pragma omp parallel for simd schedule(static)
      for (std::size_t i = 0; i < elements; ++i) b[i] = kScalar * c[i];
      break;
    case 2:
#pragma omp parallel for simd schedule(static)
      for (std::size_t i = 0; i < elements; ++i) c[i] = a[i] + b[i];
      break;
    default:
#pragma omp parallel for simd schedule(static)
      for (std::size_t i = 0; i < elements; ++i) a[i] = b[i] + kScalar * c[i];
  }
}

std::array<double, 3> Arrays::errors(int times) const {
  auto [a, b, c] = kFirst;
  for (int time = 0; time < times; ++time) {
    c = a;
    b = kScalar * c;
    c = a + b;
    a = b + kScalar * c;
  }
  return {largest_error(a_.get(), elements_, a), largest_error(b_.get(), elements_, b),
          largest_error(c_.get(), elements_, c)};
}

}  // namespace stream
