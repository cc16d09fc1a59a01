#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "suites/gemm/cuda/host/precision.hpp"

namespace gemm_cuda {

/// Random factors A and B of order n, each entry of which can be had by itself and is exact in the
/// precision's format: a multiple of 2^-(digits + 1) from -1/2 to below 1/2.
class Factors {
 public:
  Factors(int n, int digits);
  [[nodiscard]] int n() const { return n_; }
  [[nodiscard]] double a(int row, int k) const { return entry(0, row, k); }
  [[nodiscard]] double b(int k, int column) const { return entry(1, column, k); }
  /// The multiple itself, of the entry at `k` of A's row (`which` 0) or B's column (1) number `line`.
  [[nodiscard]] std::int64_t multiple(int which, int line, int k) const;

 private:
  [[nodiscard]] double entry(int which, int line, int k) const;
  int n_;
  int digits_;
  double unit_;  ///< 2^-(digits + 1)
};

/// What is known of C = A B from FP64 arithmetic of the host: C x for one random vector x of signs, which all
/// entries take part in, and some entries by themselves.
class Expected {
 public:
  explicit Expected(const Factors& factors);

 private:
  friend class ProductCheck;
  struct Entry {
    int row = 0;
    double value = 0;
    double sigma = 0;
  };
  int n_;
  std::vector<double> x_;                    ///< of signs
  std::vector<double> product_;              ///< A (B x)
  std::vector<double> sigma_;                ///< of each row's sum: the root of the sum of its terms' squares
  std::vector<std::vector<Entry>> entries_;  ///< by column
};

/// Checks a product column by column.
///
/// The scale of an entry c_ij is sigma_ij = sqrt(sum_k a_ik^2 b_kj^2): were the terms' signs random, as they
/// are, its standard deviation. A partial sum of it exceeds 8 sigma with a probability of 1e-15. So no entry
/// differs from the exact one by more than
///
///   8 sigma (product_roundoff + sums sum_roundoff + n 2^-53),   sums = n / products_a_sum
///
/// whatever the order of summation; the last term is for the host's own sums. The sum of a row, taken with
/// random signs, has the same bound over the root of the sum of the squares of its scales. At n = 8192 this
/// finds an entry that is wrong by 1e-9 of its scale in FP64 and by 0.7 of it in TF32. In the formats of 8
/// and 16 bits it finds a wrong tile of 128 x 128 or row, and of single entries the nan and those of the
/// sample.
///
/// Source: Freivalds, "Probabilistic machines can use less running time", 1977; Higham and Mary, "A New
/// Approach to Probabilistic Rounding Error Analysis", 2019.
class ProductCheck {
 public:
  explicit ProductCheck(const Expected& expected);
  /// The n entries of a column; each column once.
  void add(int column, const double* entries);
  /// The largest difference over its scale, of entries and rows; infinite where there is a nan.
  [[nodiscard]] double error() const;
  static double bound(const Precision& precision, int n);

 private:
  const Expected& expected_;
  std::vector<double> product_;
  double entries_error_ = 0;
};

}  // namespace gemm_cuda
