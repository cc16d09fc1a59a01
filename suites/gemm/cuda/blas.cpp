#include "suites/gemm/cuda/blas.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "suites/kernel/option.hpp"

namespace gemm_cuda {
namespace {

const std::string soname = "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR);

template <class Function>
void find(void* library, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) missing = name;
}

}  // namespace

tl::expected<Blas, std::string> loaded_blas() {
  // FP64 is measured as the GPU has it, never made of integers: NVIDIA cuBLAS, "Floating Point Emulation".
  setenv("CUBLAS_EMULATE_DOUBLE_PRECISION", "0", 1);
  void* library = dlopen(soname.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* const message = library == nullptr ? dlerror() : nullptr;
  const std::string why = message == nullptr ? "" : message;
  if (library == nullptr)
    library = dlopen(("/usr/local/cuda/lib64/" + soname).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return tl::unexpected("cuBLASLt is missing: " + why + ": load the module of CUDA " +
                          std::to_string(CUBLAS_VER_MAJOR) + ", or add its folder to LD_LIBRARY_PATH");
  Blas blas;
  std::string missing;
  find(library, "cublasLtGetVersion", blas.version, missing);
  find(library, "cublasLtGetStatusName", blas.status_name, missing);
  find(library, "cublasLtCreate", blas.create, missing);
  find(library, "cublasLtDestroy", blas.destroy, missing);
  find(library, "cublasLtMatmulDescCreate", blas.operation_create, missing);
  find(library, "cublasLtMatmulDescDestroy", blas.operation_destroy, missing);
  find(library, "cublasLtMatmulDescSetAttribute", blas.operation_set, missing);
  find(library, "cublasLtMatrixLayoutCreate", blas.layout_create, missing);
  find(library, "cublasLtMatrixLayoutDestroy", blas.layout_destroy, missing);
  find(library, "cublasLtMatmulPreferenceCreate", blas.preference_create, missing);
  find(library, "cublasLtMatmulPreferenceDestroy", blas.preference_destroy, missing);
  find(library, "cublasLtMatmulPreferenceSetAttribute", blas.preference_set, missing);
  find(library, "cublasLtMatmulAlgoGetHeuristic", blas.algorithms, missing);
  find(library, "cublasLtMatmul", blas.multiply, missing);
  if (!missing.empty()) return tl::unexpected(soname + " has no " + missing + ": another version of CUDA");
  return blas;
}

void demand(const Blas& blas, cublasStatus_t status, std::string_view what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %.*s: %s\n", program_invocation_short_name, static_cast<int>(what.size()),
               what.data(), blas.status_name(status));
  std::_Exit(kernel::no_gpu);
}

}  // namespace gemm_cuda
