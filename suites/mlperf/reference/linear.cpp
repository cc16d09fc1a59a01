#include "suites/mlperf/reference/linear.hpp"

#include <cblas.h>
#include <algorithm>
#include <cstddef>

namespace training {
namespace {

std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

template <class Real>
void multiply(std::vector<Real>& values, double factor) {
  for (Real& value : values) value *= static_cast<Real>(factor);
}

}  // namespace

template <class Real>
Linear<Real>::Linear(Weights<Real>& weights, const std::string& name, const Size& size)
    : weights_(&weights), size_(size) {
  W_ = weights.base.add(name, area(size.in, size.out), true);
  if (size.rank == 0) return;
  A_ = weights.adapters.add(name + " A", area(size.in, size.rank), true);
  B_ = weights.adapters.add(name + " B", area(size.rank, size.out), true);
}

template <class Real>
void Linear<Real>::forward(const Real* x, int rows, Real* y) {
  const auto [in, out, rank] = size_;
  Parameters<Real>& base = weights_->base;
  Parameters<Real>& adapters = weights_->adapters;
  gemm({rows, out, in}, Factor<Real>{x, in}, Factor<Real>{base.value(W_), out}, Product<Real>{y, out});
  if (rank == 0) return;
  reduced_.resize(area(rows, rank));
  gemm({rows, rank, in}, Factor<Real>{x, in}, Factor<Real>{adapters.value(A_), rank},
       Product<Real>{reduced_.data(), rank});
  multiply(reduced_, scale);
  gemm({rows, out, rank}, Factor<Real>{reduced_.data(), rank}, Factor<Real>{adapters.value(B_), out},
       Product<Real>{y, out, true});
}

template <class Real>
void Linear<Real>::backward(const Real* x, const Real* dy, int rows, Real* dx) {
  const auto [in, out, rank] = size_;
  Parameters<Real>& base = weights_->base;
  Parameters<Real>& adapters = weights_->adapters;
  if (dx != nullptr)
    gemm({rows, in, out}, Factor<Real>{dy, out}, Factor<Real>{base.value(W_), out, true},
         Product<Real>{dx, in});
  if (rank == 0) {
    gemm({in, out, rows}, Factor<Real>{x, in, true}, Factor<Real>{dy, out},
         Product<Real>{base.gradient(W_), out, true});
    return;
  }
  gemm({rank, out, rows}, Factor<Real>{reduced_.data(), rank, true}, Factor<Real>{dy, out},
       Product<Real>{adapters.gradient(B_), out, true});
  d_reduced_.resize(area(rows, rank));
  gemm({rows, rank, out}, Factor<Real>{dy, out}, Factor<Real>{adapters.value(B_), out, true},
       Product<Real>{d_reduced_.data(), rank});
  multiply(d_reduced_, scale);
  gemm({in, rank, rows}, Factor<Real>{x, in, true}, Factor<Real>{d_reduced_.data(), rank},
       Product<Real>{adapters.gradient(A_), rank, true});
  if (dx != nullptr)
    gemm({rows, in, rank}, Factor<Real>{d_reduced_.data(), rank},
         Factor<Real>{adapters.value(A_), rank, true}, Product<Real>{dx, in, true});
}

template class Linear<float>;
template class Linear<double>;

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
