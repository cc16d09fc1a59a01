#include "suites/gemm/reference/product.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace gemm {
namespace {

/// y = M x, summed in FP64.
template <class Number>
std::vector<double> times(const Number* M, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (const double factor : x)
    for (double& value : y) value += factor * static_cast<double>(*M++);
  return y;
}

/// The largest sum of magnitudes of a row.
template <class Number>
double norm_oo(const Number* M, int n) {
  std::vector<double> sums(n);
  for (int column = 0; column < n; ++column, M += n)
    for (int row = 0; row < n; ++row) sums[row] += std::fabs(static_cast<double>(M[row]));
  return *std::max_element(sums.begin(), sums.end());
}

}  // namespace

template <class Number>
Product<Number>::Product(int n, unsigned seed) : n_(n) {
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  for (Memory* matrix : {&a_, &b_, &c_}) *matrix = memory(size);
  if (!allocated()) return;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<Number> uniform(Number(-0.5), Number(0.5));
  for (const Memory* matrix : {&a_, &b_})
    std::generate_n(matrix->get(), size, [&] { return uniform(random); });
  std::fill_n(c_.get(), size, Number(0));
}

template <class Number>
typename Product<Number>::Memory Product<Number>::memory(std::size_t numbers) {
  constexpr std::size_t page = 4096;
  return Memory(static_cast<Number*>(std::aligned_alloc(page, (numbers * sizeof(Number) / page + 1) * page)));
}

template <class Number>
void Product<Number>::multiply() {
  if constexpr (std::is_same_v<Number, double>)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n_, n_, n_, 1, a_.get(), n_, b_.get(), n_, 0,
                c_.get(), n_);
  else
    cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n_, n_, n_, 1, a_.get(), n_, b_.get(), n_, 0,
                c_.get(), n_);
}

template <class Number>
double Product<Number>::error() const {
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

template <class Number>
double Product<Number>::bound() const {
  constexpr double eps = static_cast<double>(std::numeric_limits<Number>::epsilon()) / 2;
  return std::is_same_v<Number, double> ? 4 * static_cast<double>(n_) * eps : 2 * eps;
}

template class Product<double>;
template class Product<float>;

}  // namespace gemm
