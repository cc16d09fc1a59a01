#include "suites/gemm/identities.hpp"

#include "suites/hpl/lu_identities.hpp"

namespace shakedown::gemm {

void identities(const PublishedRun& run, const Baseline& baseline, IdentityList& found) {
  if (const BaselineValue* rate = baseline.find("hpl", "gemm_gflops_per_gpu"))
    hpl::rate_identities(run, *rate, nullptr, found);
}

}  // namespace shakedown::gemm
