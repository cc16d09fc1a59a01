#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "suites/gemm/cuda/blas.hpp"
#include "suites/gemm/cuda/host/check.hpp"
#include "suites/kernel/cuda/gpus.hpp"

namespace gemm_cuda {

/// The factors in a precision's format as they are copied to each GPU: A by rows, B by columns.
struct StoredFactors {
  std::vector<std::byte> a;
  std::vector<std::byte> b;
};
StoredFactors stored(const Factors& factors, const Precision& precision);

/// C = A B on the GPU that was current when it was made, in one precision.
class Product {
 public:
  /// Copies the factors to the GPU and times the algorithms that cuBLASLt suggests, to use the fastest.
  Product(const Blas& blas, const Precision& precision, int n, const StoredFactors& factors);
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product();
  /// False where the library has no algorithm for this precision on this GPU.
  [[nodiscard]] bool available() const { return algorithm_.has_value(); }

  /// Seconds of `products` products one after the other: 2 n^3 operations each.
  double multiply(int products);
  /// Fills C with nan, so that what is checked afterwards was computed afterwards.
  void spoil();
  /// The product's largest difference from the expected one over its scale.
  [[nodiscard]] double error(const Expected& expected) const;

 private:
  void enqueue(const cublasLtMatmulAlgo_t& algorithm);
  void choose_algorithm();
  void describe_operation(const Precision& precision);

  const Blas& blas_;
  const Precision& precision_;
  int n_;
  kernel::DeviceMemory a_;
  kernel::DeviceMemory b_;
  kernel::DeviceMemory c_;
  kernel::DeviceMemory workspace_;
  kernel::DeviceMemory scales_;
  kernel::StreamTimer timer_;
  cudaStream_t stream_ = nullptr;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t factor_layout_ = nullptr;
  cublasLtMatrixLayout_t product_layout_ = nullptr;
  std::optional<cublasLtMatmulAlgo_t> algorithm_;
};

}  // namespace gemm_cuda
