#include <array>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
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

/// Recomputes the identities of a published run of the suite. `baseline` holds the GEMM that was published
/// with it.
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

}  // namespace
}  // namespace shakedown::hpl

namespace shakedown::facts {

extern const SuiteFacts hpl;

namespace {

constexpr std::array hpl_headlines = {Headline{"rmax_gflops", "efficiency_gemm"}};
constexpr std::array hpl_efficiencies = {EfficiencyFact{"efficiency_gemm", "rmax_gflops"},
                                         EfficiencyFact{"efficiency_rpeak", "rmax_gflops"}};
constexpr std::array hpl_metrics = {
    MetricFact{"rmax_gflops", "Rmax"}, MetricFact{"rmax_gflops_per_gpu", "Rmax per GPU"},
    MetricFact{"residual", "residual", MetricKind{"", std::nullopt}}};  // passed or not
constexpr std::array hpl_pairs = {
    MetricPair{.name = "HPL / GEMM",
               .metric = "rmax_gflops",
               .suite = "gemm",
               .metric_below = "fp64_gflops",
               .share = true,
               .says = "HPL's share of the raw matrix-multiply speed, network time included",
               .published_per_gpu = "gemm_gflops_per_gpu"}};
constexpr std::array<std::string_view, 1> hpl_size = {"N = {N}"};
constexpr std::array hpl_resources = {Resource::compute, Resource::network};

}  // namespace

const SuiteFacts hpl = {
    .id = "hpl",
    .title = "HPL",
    .own_title = "HPL-like solver (shakedown)",
    .about = "High-Performance Linpack: solves one dense linear system in FP64",
    .rank = 10,
    .headlines = hpl_headlines,
    .rate = "rmax_gflops",
    .size = hpl_size,
    .efficiencies = hpl_efficiencies,
    .metrics = hpl_metrics,
    .pairs = hpl_pairs,
    .resources = hpl_resources,
    .identities = hpl::identities,
};

}  // namespace shakedown::facts
