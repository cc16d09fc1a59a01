#include "suites/mlperf/reference/gemm.hpp"

#include <cblas.h>

#include <algorithm>
#include <cstddef>

namespace training {
namespace {

std::int64_t& counter() {
  static std::int64_t operations = 0;
  return operations;
}

void count(const Extent& extent) {
  counter() += std::int64_t{2} * extent.rows * extent.columns * extent.inner;
}

double at(const Factor<double>& factor, int row, int column) {
  const auto major = static_cast<std::size_t>(factor.transposed ? column : row);
  const auto minor = static_cast<std::size_t>(factor.transposed ? row : column);
  return factor.data[major * static_cast<std::size_t>(factor.stride) + minor];
}

}  // namespace

void gemm(const Extent& extent, const Factor<float>& a, const Factor<float>& b, const Product<float>& c) {
  count(extent);
  cblas_sgemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
              b.transposed ? CblasTrans : CblasNoTrans, extent.rows, extent.columns, extent.inner, 1.0F,
              a.data, a.stride, b.data, b.stride, c.add ? 1.0F : 0.0F, c.data, c.stride);
}

void gemm(const Extent& extent, const Factor<double>& a, const Factor<double>& b, const Product<double>& c) {
  count(extent);
  for (int i = 0; i < extent.rows; ++i) {
    double* row = c.data + static_cast<std::ptrdiff_t>(i) * c.stride;
    if (!c.add) std::fill_n(row, extent.columns, 0.0);
    for (int k = 0; k < extent.inner; ++k) {
      const double left = at(a, i, k);
      for (int j = 0; j < extent.columns; ++j) row[j] += left * at(b, k, j);
    }
  }
}

std::int64_t multiplied() {
  return counter();
}

}  // namespace training
