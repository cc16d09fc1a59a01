#include "suites/hpl/lu_identities.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shakedown::hpl {

double lu_flop(double N) {
  return (2.0 / 3.0 * N + 1.5) * N * N;
}

void rate_identities(const PublishedRun& run, const BaselineValue& rate, const BaselineValue* gemm,
                     IdentityList& found) {
  if (const auto* of_gemm = run.value("efficiency_gemm"); of_gemm != nullptr && gemm != nullptr)
    found.row(*of_gemm, "efficiency = Rmax per GPU / GEMM", printed_interval(rate) / printed_interval(*gemm));
  if (const auto* of_peak = run.value("efficiency_rpeak")) {
    // FP64 tensor cores of NVIDIA's GH100: 128 fused multiply-adds per cycle and SM (H100 whitepaper).
    const double peak = run.condition("gpu_sm_count") * run.condition("gpu_sm_mhz") * 256 / 1000;
    found.row(*of_peak, "efficiency = rate per GPU / (SM x clock x 256 FLOP per cycle)",
              printed_interval(rate) / exactly(peak));
  }
}

void grid_identities(const PublishedRun& run, const BaselineValue& rmax, IdentityList& found) {
  found.equal(rmax, "P x Q = GPUs", run.condition("gpus"), run.condition("P") * run.condition("Q"));
  const double N = run.condition("N");
  const double NB = run.condition("NB");
  found.equal(rmax, "N is a whole number of blocks of NB", N, std::round(N / NB) * NB);
  if (std::fmod(N, NB) != 0)
    found.explain(fmt::format("{:g} blocks: the last one is smaller, which is allowed", N / NB));
}

}  // namespace shakedown::hpl
