#include "suites/hpl_mxp/identities.hpp"

#include "orchestrator/core/units.hpp"
#include "suites/hpl/lu_identities.hpp"

namespace shakedown::hpl_mxp {
namespace {

/// A rate with as many digits as are printed: that per GPU has more of them than the total.
double best_rate(const PublishedRun& run, const BaselineValue& total) {
  const BaselineValue* per_gpu = run.value(total.metric + "_per_gpu");
  return per_gpu == nullptr ? total.value : per_gpu->value * run.condition("gpus");
}

}  // namespace

void identities(const PublishedRun& run, const Baseline& /*baseline*/, IdentityList& found) {
  const BaselineValue* rmax = run.value("rmax_gflops");
  const BaselineValue* lu = run.value("lu_gflops");
  const Interval gpus = exactly(run.condition("gpus"));
  if (rmax != nullptr) {
    if (const auto* per_gpu = run.value("rmax_gflops_per_gpu"))
      found.row(*rmax, "Rmax = Rmax per GPU x GPUs", printed_interval(*per_gpu) * gpus);
    hpl::grid_identities(run, *rmax, found);
  }
  if (lu != nullptr)
    if (const auto* per_gpu = run.value("lu_gflops_per_gpu"))
      found.row(*lu, "LU-only = LU-only per GPU x GPUs", printed_interval(*per_gpu) * gpus);
  if (rmax != nullptr && lu != nullptr) {
    const double gflop = hpl::lu_flop(run.condition("N")) * 1e-9;
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

}  // namespace shakedown::hpl_mxp
