#pragma once

#include <cstdint>

namespace training {

/// C is rows x columns, the sum runs over `inner`.
struct Extent {
  int rows = 0;
  int columns = 0;
  int inner = 0;
};

/// A factor by rows; `transposed`: as stored it is the transpose.
template <class Real>
struct Factor {
  const Real* data = nullptr;
  int stride = 0;
  bool transposed = false;
};

/// C by rows; `add`: the product is added to it.
template <class Real>
struct Product {
  Real* data = nullptr;
  int stride = 0;
  bool add = false;
};

/// C = A B by BLAS.
void gemm(const Extent& extent, const Factor<float>& a, const Factor<float>& b, const Product<float>& c);
/// C = A B by plain loops: what BLAS, and everything else in FP32, is checked against.
void gemm(const Extent& extent, const Factor<double>& a, const Factor<double>& b, const Product<double>& c);

/// Floating-point operations of all products of this process so far: 2 x rows x columns x inner of each.
std::int64_t multiplied();

}  // namespace training
