#include <array>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "suites/hpl/lu_identities.hpp"

namespace shakedown::hpl_mxp {
namespace {

/// A rate with as many digits as are printed: that per GPU has more of them than the total.
double best_rate(const PublishedRun& run, const BaselineValue& total) {
  const BaselineValue* per_gpu = run.value(total.metric + "_per_gpu");
  return per_gpu == nullptr ? total.value : per_gpu->value * run.condition("gpus");
}

/// Recomputes the identities of a published run of the suite.
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

}  // namespace
}  // namespace shakedown::hpl_mxp

namespace shakedown::facts {

extern const SuiteFacts hpl_mxp;

namespace {

constexpr std::array hpl_mxp_headlines = {Headline{"rmax_gflops", "efficiency_gemm"}};
constexpr std::array hpl_mxp_efficiencies = {EfficiencyFact{"efficiency_gemm", "rmax_gflops"},
                                             EfficiencyFact{"efficiency_rpeak", "rmax_gflops"}};
constexpr std::array hpl_mxp_metrics = {
    MetricFact{"rmax_gflops", "Rmax"}, MetricFact{"rmax_gflops_per_gpu", "Rmax per GPU"},
    MetricFact{"lu_gflops", "LU rate"}, MetricFact{"lu_time_s", "LU time"},
    MetricFact{"residual", "residual", MetricKind{"", std::nullopt}}};  // passed or not
constexpr std::array hpl_mxp_pairs = {
    MetricPair{.name = "HPL-MxP / HPL",
               .metric = "rmax_gflops",
               .suite = "hpl",
               .metric_below = "rmax_gflops",
               .says = "arithmetic in low precision beside FP64: the fewer bits, the larger"}};
constexpr std::array<std::string_view, 1> hpl_mxp_size = {"N = {N}"};
constexpr std::array hpl_mxp_resources = {Resource::compute, Resource::network};

}  // namespace

const SuiteFacts hpl_mxp = {
    .id = "hpl-mxp",
    .title = "HPL-MxP",
    .own_title = "HPL-MxP-like solver (shakedown)",
    .about = "solves one dense system in low precision and refines it to FP64",
    .rank = 30,
    .headlines = hpl_mxp_headlines,
    .rate = "rmax_gflops",
    .size = hpl_mxp_size,
    .efficiencies = hpl_mxp_efficiencies,
    .metrics = hpl_mxp_metrics,
    .pairs = hpl_mxp_pairs,
    .resources = hpl_mxp_resources,
    .identities = hpl_mxp::identities,
};

}  // namespace shakedown::facts
