#include <array>

#include "orchestrator/plan/suite_facts.hpp"
#include "suites/hpl/identities.hpp"

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
    FigurePair{.name = "HPL / GEMM",
               .metric = "rmax_gflops",
               .suite = "gemm",
               .metric_below = "fp64_gflops",
               .share = true,
               .says = "HPL's share of the raw matrix-multiply speed, network time included",
               .published_per_gpu = "gemm_gflops_per_gpu"}};
constexpr std::array hpl_resources = {Resource::compute, Resource::network};

}  // namespace

const SuiteFacts hpl = {
    .id = "hpl",
    .title = "HPL",
    .about = "High-Performance Linpack: solves one dense linear system in FP64",
    .rank = 10,
    .headlines = hpl_headlines,
    .rate = "rmax_gflops",
    .efficiencies = hpl_efficiencies,
    .metrics = hpl_metrics,
    .pairs = hpl_pairs,
    .resources = hpl_resources,
    .identities = hpl::identities,
};

}  // namespace shakedown::facts
