#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suites/mlperf/reference/adamw.hpp"

namespace training {

/// The parameters of a model: its own, and those of the adapters where it is fine-tuned.
template <class Real>
struct Weights {
  Parameters<Real> base;
  Parameters<Real> adapters;
};

/// y = x W, or with an adapter of rank r: y = x W + s (x A) B, where W is frozen and A and B are trained.
///
/// Source: Hu et al., "LoRA: Low-rank adaptation of large language models"; s = alpha / r.
template <class Real>
class Linear {
 public:
  struct Size {
    int in = 0;
    int out = 0;
    int rank = 0;  ///< 0: no adapter
  };
  static constexpr double scale = 2;  ///< alpha / r, as MLPerf's Llama 2 70B LoRA has it: 32 / 16

  Linear(Weights<Real>& weights, const std::string& name, const Size& size);

  /// rows x in to rows x out.
  void forward(const Real* x, int rows, Real* y);
  /// From the gradient by y, and the x of the last forward, that by x (null: not needed). That by W, or by A
  /// and B, is added to the gradients.
  void backward(const Real* x, const Real* dy, int rows, Real* dx);

 private:
  Weights<Real>* weights_;
  Size size_;
  std::size_t W_ = 0;
  std::size_t A_ = 0;
  std::size_t B_ = 0;
  std::vector<Real> reduced_;  ///< s x A
  std::vector<Real> d_reduced_;
};

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
