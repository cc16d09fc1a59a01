#include "suites/mlperf/reference/linear.hpp"

#include "suites/mlperf/reference/gemm.hpp"

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

}  // namespace training
