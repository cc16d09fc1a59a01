#include <array>

#include "orchestrator/plan/suite_facts.hpp"
#include "suites/hpl_mxp/identities.hpp"

namespace shakedown::facts {

extern const SuiteFacts hpl_mxp;

namespace {

constexpr std::array hpl_mxp_headlines = {Headline{"rmax_gflops", "efficiency_gemm"}};
constexpr std::array hpl_mxp_efficiencies = {EfficiencyFact{"efficiency_gemm", "rmax_gflops"},
                                             EfficiencyFact{"efficiency_rpeak", "rmax_gflops"}};
constexpr std::array hpl_mxp_metrics = {
    MetricFact{"rmax_gflops", "Rmax"}, MetricFact{"rmax_gflops_per_gpu", "Rmax per GPU"},
    MetricFact{"lu_gflops", "LU rate"},
    MetricFact{"residual", "residual", MetricKind{"", std::nullopt}}};  // passed or not
constexpr std::array hpl_mxp_pairs = {
    FigurePair{.name = "HPL-MxP / HPL",
               .metric = "rmax_gflops",
               .suite = "hpl",
               .metric_below = "rmax_gflops",
               .says = "arithmetic in low precision beside FP64: the fewer bits, the larger"}};
constexpr std::array hpl_mxp_resources = {Resource::compute, Resource::network};

}  // namespace

const SuiteFacts hpl_mxp = {
    .id = "hpl-mxp",
    .title = "HPL-MxP",
    .about = "solves one dense system in low precision and refines it to FP64",
    .rank = 30,
    .headlines = hpl_mxp_headlines,
    .rate = "rmax_gflops",
    .efficiencies = hpl_mxp_efficiencies,
    .metrics = hpl_mxp_metrics,
    .pairs = hpl_mxp_pairs,
    .resources = hpl_mxp_resources,
    .identities = hpl_mxp::identities,
};

}  // namespace shakedown::facts
