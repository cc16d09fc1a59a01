#include "suites/gemm/reference/product.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace gemm {
namespace {

/// y = M x.
std::vector<double> times(const double* M, const std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
  std::vector<double> y(x.size());
  cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, M, n, x.data(), 1, 0.0, y.data(), 1);
  return y;
}

/// The largest sum of magnitudes of a row.
double norm_oo(const double* M, int n) {
  std::vector<double> sums(n);
  for (int column = 0; column < n; ++column, M += n)
    for (int row = 0; row < n; ++row) sums[row] += std::fabs(M[row]);
  return *std::max_element(sums.begin(), sums.end());
}

}  // namespace

Product::Product(int n, unsigned seed) : n_(n) {
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  for (Memory* matrix : {&a_, &b_, &c_}) *matrix = memory(size);
  if (!allocated()) return;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  for (const Memory* matrix : {&a_, &b_})
    std::generate_n(matrix->get(), size, [&] { return uniform(random); });
  std::fill_n(c_.get(), size, 0.0);
}

Product::Memory Product::memory(std::size_t doubles) {
  constexpr std::size_t page = 4096;
  return Memory(static_cast<double*>(std::aligned_alloc(page, (doubles * sizeof(double) / page + 1) * page)));
}

void Product::multiply() {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n_, n_, n_, 1.0, a_.get(), n_, b_.get(), n_, 0.0,
              c_.get(), n_);
}

double Product::error() const {
  std::mt19937_64 random(static_cast<unsigned>(n_));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> x(n_);
  std::generate(x.begin(), x.end(), [&] { return uniform(random); });
  double x_oo = 0;
  for (const double value : x) x_oo = std::max(x_oo, std::fabs(value));

  const std::vector<double> product = times(c_.get(), x);
  const std::vector<double> expected = times(a_.get(), times(b_.get(), x));
  double worst = 0;
  for (std::size_t i = 0; i < product.size(); ++i) {
    const double difference = std::fabs(product[i] - expected[i]);
    if (difference > worst || std::isnan(difference)) worst = difference;
  }
  return worst / (norm_oo(a_.get(), n_) * norm_oo(b_.get(), n_) * x_oo);
}

double Product::bound() const {
  constexpr double eps = 0x1p-53;
  return 4 * static_cast<double>(n_) * eps;
}

}  // namespace gemm
