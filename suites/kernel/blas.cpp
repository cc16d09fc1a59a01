#include "suites/kernel/blas.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// OpenBLAS alone has it.
extern "C" char* openblas_get_corename() __attribute__((weak));

namespace kernel {

namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";

/// What the processor can execute, by OpenBLAS's name; null: nothing that OpenBLAS's oldest routines don't
/// use.
const char* routines_of_processor() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

bool uses_avx2(std::string_view routines) {
  constexpr std::array<std::string_view, 6> names = {"Haswell",  "Zen",        "Excavator",
                                                     "SkylakeX", "Cooperlake", "SapphireRapids"};
  return std::find(names.begin(), names.end(), routines) != names.end();
}

/// Whether this rank is the first, or not known: MPI has not begun.
bool may_be_first() {
  constexpr std::array names = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
  for (const char* name : names)
    if (const char* rank = std::getenv(name)) return std::string_view(rank) == "0";
  return true;
}

}  // namespace

void use_routines_of_processor(char** argv) {
  if (openblas_get_corename == nullptr || std::getenv(variable) != nullptr) return;
  const char* chosen = openblas_get_corename();
  const char* better = routines_of_processor();
  if (better == nullptr || uses_avx2(chosen)) return;
  if (may_be_first())
    std::fprintf(stderr, "OpenBLAS takes this processor for a %s: started again with %s=%s\n", chosen,
                 variable, better);
  setenv(variable, better, 1);
  execv("/proc/self/exe", argv);
  std::perror("cannot start again");  // and goes on as it is
}

}  // namespace kernel
