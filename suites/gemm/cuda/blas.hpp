#pragma once

#include <cublasLt.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace gemm_cuda {

/// The functions of cuBLASLt that are used, found in the library when the program runs: it starts, and says
/// what is missing, where there is none.
struct Blas {
  decltype(&cublasLtGetVersion) version = nullptr;
  decltype(&cublasLtGetStatusName) status_name = nullptr;
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtDestroy) destroy = nullptr;
  decltype(&cublasLtMatmulDescCreate) operation_create = nullptr;
  decltype(&cublasLtMatmulDescDestroy) operation_destroy = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) operation_set = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) layout_create = nullptr;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create = nullptr;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) algorithms = nullptr;
  decltype(&cublasLtMatmul) multiply = nullptr;
};

/// Loads cuBLASLt of the major version that this program was compiled with, from where the system's loader
/// looks and from the toolkit's usual place. Fails with one sentence where it is missing or lacks a function.
tl::expected<Blas, std::string> loaded_blas();

/// Ends the program with exit code `no_gpu` and one sentence unless the call succeeded.
void demand(const Blas& blas, cublasStatus_t status, std::string_view what);

}  // namespace gemm_cuda
