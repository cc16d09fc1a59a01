#include <cmath>

#include "orchestrator/core/units.hpp"
#include "reports/compare/identities.hpp"

namespace shakedown {
namespace {

/// Operations of LU factorisation and solve (netlib HPL, HPL_pdtest.c).
double lu_flop(double N) {
  return (2.0 / 3.0 * N + 1.5) * N * N;
}

void efficiencies(const PublishedRun& run, const BaselineValue& rate, const BaselineValue* gemm,
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

void grid_and_blocks(const PublishedRun& run, const BaselineValue& rmax, IdentityList& found) {
  found.equal(rmax, "P x Q = GPUs", run.condition("gpus"), run.condition("P") * run.condition("Q"));
  const double N = run.condition("N");
  const double NB = run.condition("NB");
  found.equal(rmax, "N is a whole number of blocks of NB", N, std::round(N / NB) * NB);
  if (std::fmod(N, NB) != 0)
    found.explain(fmt::format("{:g} blocks: the last one is smaller, which is allowed", N / NB));
}

/// The share of the GPUs' memory that the matrix fills, to two digits.
void memory(const PublishedRun& run, const BaselineValue& rmax, IdentityList& found) {
  const double N = run.condition("N");
  const double stated = run.condition("memory_fraction");
  const double fraction = 8 * N * N / (run.condition("gpus") * run.condition("gpu_memory_gib") * gibi);
  found.demand(rmax, "memory fraction = 8 N^2 / (GPUs x memory)", std::abs(fraction - stated) < 0.005, stated,
               fraction);
}

/// A rate with as many digits as are printed: that per GPU has more of them than the total.
double best_rate(const PublishedRun& run, const BaselineValue& total) {
  const BaselineValue* per_gpu = run.value(total.metric + "_per_gpu");
  return per_gpu == nullptr ? total.value : per_gpu->value * run.condition("gpus");
}

}  // namespace

void hpl_identities(const PublishedRun& run, const Baseline& baseline, IdentityList& found) {
  const BaselineValue* gemm = baseline.find("hpl", "gemm_gflops_per_gpu");
  if (run.suite == "gemm") {
    if (gemm != nullptr) efficiencies(run, *gemm, nullptr, found);
    return;
  }
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
  grid_and_blocks(run, *rmax, found);
  memory(run, *rmax, found);
  if (per_gpu != nullptr) efficiencies(run, *per_gpu, gemm, found);
}

void hpl_mxp_identities(const PublishedRun& run, IdentityList& found) {
  const BaselineValue* rmax = run.value("rmax_gflops");
  const BaselineValue* lu = run.value("lu_gflops");
  const Interval gpus = exactly(run.condition("gpus"));
  if (rmax != nullptr) {
    if (const auto* per_gpu = run.value("rmax_gflops_per_gpu"))
      found.row(*rmax, "Rmax = Rmax per GPU x GPUs", printed_interval(*per_gpu) * gpus);
    grid_and_blocks(run, *rmax, found);
  }
  if (lu != nullptr)
    if (const auto* per_gpu = run.value("lu_gflops_per_gpu"))
      found.row(*lu, "LU-only = LU-only per GPU x GPUs", printed_interval(*per_gpu) * gpus);
  if (rmax != nullptr && lu != nullptr) {
    const double gflop = lu_flop(run.condition("N")) * 1e-9;
    const double total_s = gflop / best_rate(run, *rmax);
    const double lu_s = gflop / best_rate(run, *lu);
    found.demand(*lu,
                 fmt::format("LU-only > Rmax: of (2/3 N^3 + 3/2 N^2) / Rmax = {} s, LU takes {} s and "
                             "refinement {} s ({})",
                             number(total_s, 5), number(lu_s, 5), number(total_s - lu_s, 5),
                             percent_text((total_s - lu_s) / total_s)),
                 lu_s < total_s, lu->value, rmax->value);
  }
  if (const auto* residual = run.value("residual"))
    found.demand(*residual, "residual < threshold", residual->value < run.condition("residual_threshold"),
                 residual->value, run.condition("residual_threshold"));
}

}  // namespace shakedown
