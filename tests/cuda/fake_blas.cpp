// Stands in for libcublasLt.so: multiplies on the host, in plain loops, what the program for GPUs hands it.
// FAKE_CUDA_WRONG names a fault: "entry" adds 1 to one entry of each product, "tile" swaps two halves of 32
// columns, "bits" adds FP64 products in FP32, "idle" writes nothing.
#include <cublasLt.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "suites/gemm/cuda/host/precision.hpp"

namespace {

struct Operation {
  const float* a_scale = nullptr;
  const float* b_scale = nullptr;
  bool a_by_rows = false;
};
struct Layout {
  cudaDataType type = CUDA_R_64F;
  size_t n = 0;
};

bool wrong(const char* what) {
  const char* asked = std::getenv("FAKE_CUDA_WRONG");
  return asked != nullptr && std::strcmp(asked, what) == 0;
}

size_t bytes_of(cudaDataType type) {
  return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : type == CUDA_R_8F_E4M3 ? 1 : 2;
}

double load(cudaDataType type, const void* matrix, size_t index) {
  const auto* const at = static_cast<const char*>(matrix) + index * bytes_of(type);
  double wide = 0;
  float single = 0;
  unsigned char byte = 0;
  std::uint16_t bits = 0;
  if (type == CUDA_R_64F) return std::memcpy(&wide, at, 8), wide;
  if (type == CUDA_R_32F) return std::memcpy(&single, at, 4), static_cast<double>(single);
  if (type == CUDA_R_8F_E4M3) return std::memcpy(&byte, at, 1), gemm_cuda::decoded(gemm_cuda::e4m3, byte);
  std::memcpy(&bits, at, 2);
  return gemm_cuda::decoded(type == CUDA_R_16F ? gemm_cuda::fp16 : gemm_cuda::bf16, bits);
}

double rounded(double value, int digits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, digits)), exponent - digits);
}

void store(cudaDataType type, void* matrix, size_t index, double value) {
  auto* const at = static_cast<char*>(matrix) + index * bytes_of(type);
  const auto single = static_cast<float>(value);
  if (type == CUDA_R_64F) {
    std::memcpy(at, &value, 8);
  } else if (type == CUDA_R_32F) {
    std::memcpy(at, &single, 4);
  } else {
    const bool half = type == CUDA_R_16F;
    const std::uint16_t bits =
        gemm_cuda::encoded(half ? gemm_cuda::fp16 : gemm_cuda::bf16, rounded(value, half ? 11 : 8));
    std::memcpy(at, &bits, 2);
  }
}

}  // namespace

extern "C" {

size_t cublasLtGetVersion() {
  return CUBLAS_VERSION;
}
const char* cublasLtGetStatusName(cublasStatus_t) {
  return "CUBLAS_STATUS_OF_A_STAND_IN";
}
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return *handle = nullptr, CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* operation, cublasComputeType_t,
                                        cudaDataType_t) {
  *operation = reinterpret_cast<cublasLtMatmulDesc_t>(new Operation);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) {
  delete reinterpret_cast<Operation*>(operation);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              size_t bytes) {
  auto& own = *reinterpret_cast<Operation*>(operation);
  if (attribute == CUBLASLT_MATMUL_DESC_A_SCALE_POINTER) std::memcpy(&own.a_scale, value, bytes);
  if (attribute == CUBLASLT_MATMUL_DESC_B_SCALE_POINTER) std::memcpy(&own.b_scale, value, bytes);
  if (attribute == CUBLASLT_MATMUL_DESC_TRANSA)
    own.a_by_rows =
        bytes == sizeof(cublasOperation_t) && *static_cast<const cublasOperation_t*>(value) == CUBLAS_OP_T;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  if (rows != columns || leading != static_cast<int64_t>(rows)) return CUBLAS_STATUS_INVALID_VALUE;
  *layout = reinterpret_cast<cublasLtMatrixLayout_t>(new Layout{type, rows});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete reinterpret_cast<Layout*>(layout);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return *preference = nullptr, CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t, const void*,
                                                    size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t, int,
                                              cublasLtMatmulHeuristicResult_t found[], int* count) {
  // As on GPUs: FP8 has its factors by rows and by columns, with scales.
  const auto& own = *reinterpret_cast<Operation*>(operation);
  if (reinterpret_cast<Layout*>(a)->type == CUDA_R_8F_E4M3 && (!own.a_by_rows || own.a_scale == nullptr))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  found[0].state = CUBLAS_STATUS_SUCCESS;
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t operation, const void* /*alpha*/,
                              const void* a, cublasLtMatrixLayout_t factors, const void* b,
                              cublasLtMatrixLayout_t, const void*, const void*, cublasLtMatrixLayout_t,
                              void* d, cublasLtMatrixLayout_t product, const cublasLtMatmulAlgo_t*, void*,
                              size_t, cudaStream_t) {
  const auto& own = *reinterpret_cast<Operation*>(operation);
  const Layout of_factors = *reinterpret_cast<Layout*>(factors);
  const Layout of_product = *reinterpret_cast<Layout*>(product);
  const size_t n = of_factors.n;
  if (wrong("idle")) return CUBLAS_STATUS_SUCCESS;
  const double scale =
      own.a_scale == nullptr ? 1 : static_cast<double>(*own.a_scale) * static_cast<double>(*own.b_scale);
  const bool cut = wrong("bits");
  std::vector<double> of_a(n * n);
  std::vector<double> of_b(n * n);
  for (size_t i = 0; i < n * n; ++i) {
    of_a[i] = load(of_factors.type, a, i);
    of_b[i] = load(of_factors.type, b, i);
  }
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (size_t k = 0; k < n; ++k) {
        sum += of_a[own.a_by_rows ? i * n + k : k * n + i] * of_b[j * n + k];
        if (cut) sum = static_cast<double>(static_cast<float>(sum));
      }
      store(of_product.type, d, j * n + i, sum * scale);
    }
  if (wrong("entry")) store(of_product.type, d, n + 1, load(of_product.type, d, n + 1) + 1);
  if (wrong("tile"))
    for (size_t j = 0; j < 32; ++j)
      for (size_t i = 0; i < n; ++i)
        store(of_product.type, d, j * n + i, load(of_product.type, d, (j + 32) * n + i));
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
