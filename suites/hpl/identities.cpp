#include "suites/hpl/identities.hpp"

#include <cmath>

#include "orchestrator/core/units.hpp"
#include "suites/hpl/lu_identities.hpp"

namespace shakedown::hpl {
namespace {

/// The share of the GPUs' memory that the matrix fills, to two digits.
void memory(const PublishedRun& run, const BaselineValue& rmax, IdentityList& found) {
  const double N = run.condition("N");
  const double stated = run.condition("memory_fraction");
  const double fraction = 8 * N * N / (run.condition("gpus") * run.condition("gpu_memory_gib") * gibi);
  found.demand(rmax, "memory fraction = 8 N^2 / (GPUs x memory)", std::abs(fraction - stated) < 0.005, stated,
               fraction);
}

}  // namespace

void identities(const PublishedRun& run, const Baseline& baseline, IdentityList& found) {
  const BaselineValue* gemm = baseline.find("hpl", "gemm_gflops_per_gpu");
  const BaselineValue* rmax = run.value("rmax_gflops");
  if (rmax == nullptr) return;
  Interval total = printed_interval(*rmax);
  if (const auto* time = run.value("time_s")) {
    total = exactly(lu_flop(run.condition("N")) * 1e-9) / printed_interval(*time);
    found.row(*rmax, "Rmax = (2/3 N^3 + 3/2 N^2) / t", total);
  }
  const BaselineValue* per_gpu = run.value("rmax_gflops_per_gpu");
  if (per_gpu != nullptr)
    found.row(*per_gpu, "Rmax per GPU = Rmax / GPUs", total / exactly(run.condition("gpus")));
  grid_identities(run, *rmax, found);
  memory(run, *rmax, found);
  if (per_gpu != nullptr) rate_identities(run, *per_gpu, gemm, found);
}

}  // namespace shakedown::hpl
