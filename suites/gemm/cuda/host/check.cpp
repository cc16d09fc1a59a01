#include "suites/gemm/cuda/host/check.hpp"

#include <cmath>
#include <limits>

namespace gemm_cuda {
namespace {

constexpr int checked_entries = 4096;
constexpr double largest_sum = 8;  // in standard deviations: exceeded with a probability of 1e-15

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014: SplitMix64's output function.
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

double larger(double most, double error) {
  if (std::isnan(error)) return std::numeric_limits<double>::infinity();
  return error > most ? error : most;
}

}  // namespace

Factors::Factors(int n, int digits) : n_(n), digits_(digits), unit_(std::ldexp(1.0, -(digits + 1))) {}

std::int64_t Factors::multiple(int which, int line, int k) const {
  const std::uint64_t index = (static_cast<std::uint64_t>(which) << 62) +
                              static_cast<std::uint64_t>(line) * static_cast<std::uint64_t>(n_) +
                              static_cast<std::uint64_t>(k);
  return static_cast<std::int64_t>(mixed(index)) >> (63 - digits_);
}

double Factors::entry(int which, int line, int k) const {
  return static_cast<double>(multiple(which, line, k)) * unit_;
}

Expected::Expected(const Factors& factors) : n_(factors.n()), x_(n_), product_(n_), sigma_(n_), entries_(n_) {
  std::vector<double> bx(n_);
  std::vector<double> b2(n_);
  for (int j = 0; j < n_; ++j) {
    x_[j] = (mixed(~static_cast<std::uint64_t>(j)) & 1) != 0 ? 1 : -1;
    for (int k = 0; k < n_; ++k) {
      const double b = factors.b(k, j);
      bx[k] += b * x_[j];
      b2[k] += b * b;
    }
  }
  for (int i = 0; i < n_; ++i) {
    double product = 0;
    double squares = 0;
    for (int k = 0; k < n_; ++k) {
      const double a = factors.a(i, k);
      product += a * bx[k];
      squares += a * a * b2[k];
    }
    product_[i] = product;
    sigma_[i] = std::sqrt(squares);
  }
  for (int sample = 0; sample < checked_entries; ++sample) {
    const std::uint64_t place = mixed((std::uint64_t{1} << 61) + static_cast<std::uint64_t>(sample));
    Entry entry;
    entry.row = static_cast<int>(place % static_cast<std::uint64_t>(n_));
    const auto column = static_cast<int>((place >> 32) % static_cast<std::uint64_t>(n_));
    for (int k = 0; k < n_; ++k) {
      const double term = factors.a(entry.row, k) * factors.b(k, column);
      entry.value += term;
      entry.sigma += term * term;
    }
    entry.sigma = std::sqrt(entry.sigma);
    entries_[column].push_back(entry);
  }
}

ProductCheck::ProductCheck(const Expected& expected) : expected_(expected), product_(expected.n_) {}

void ProductCheck::add(int column, const double* entries) {
  const double sign = expected_.x_[column];
  for (std::size_t i = 0; i < product_.size(); ++i) product_[i] += sign * entries[i];
  for (const Expected::Entry& entry : expected_.entries_[column])
    entries_error_ = larger(entries_error_, std::fabs(entries[entry.row] - entry.value) / entry.sigma);
}

double ProductCheck::error() const {
  double most = entries_error_;
  for (std::size_t i = 0; i < product_.size(); ++i)
    most = larger(most, std::fabs(product_[i] - expected_.product_[i]) / expected_.sigma_[i]);
  return most;
}

double ProductCheck::bound(const Precision& precision, int n) {
  const double sums = std::ceil(static_cast<double>(n) / precision.products_a_sum);
  return largest_sum * (precision.product_roundoff + sums * precision.sum_roundoff + n * 0x1p-53);
}

}  // namespace gemm_cuda
