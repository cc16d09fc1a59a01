#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace gemm {

/// C = A B with random n x n matrices A and B of double or float, by columns, on this rank alone.
template <class Number>
class Product {
 public:
  /// `seed` differs by rank. Without memory for the matrices it is empty.
  Product(int n, unsigned seed);
  [[nodiscard]] bool allocated() const { return a_ && b_ && c_; }

  /// Multiplies once: 2 n^3 operations.
  void multiply();

  /// Freivalds' check with a random vector x: ||C x - A (B x)||_oo / (||A||_oo ||B||_oo ||x||_oo). For a
  /// right product this is below `bound`; one wrong entry of ordinary size exceeds it, in FP64 a millionfold.
  /// Nan where C holds one.
  [[nodiscard]] double error() const;
  /// FP64: three roundings' worth of the classical bound n eps for each of C, B x and A (B x), and a margin,
  /// which holds whatever the order of summation. FP32: 2 eps, a hundred times what roundings at random
  /// come to; the classical bound would accept wrong entries.
  [[nodiscard]] double bound() const;

 private:
  struct Free {
    void operator()(Number* pointer) const { std::free(pointer); }
  };
  using Memory = std::unique_ptr<Number, Free>;
  static Memory memory(std::size_t numbers);

  int n_;
  Memory a_;
  Memory b_;
  Memory c_;
};

}  // namespace gemm
