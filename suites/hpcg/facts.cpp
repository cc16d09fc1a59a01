#include <array>

#include "orchestrator/plan/suite_facts.hpp"
#include "suites/hpcg/identities.hpp"

namespace shakedown::facts {

extern const SuiteFacts hpcg;

namespace {

constexpr MetricKind hpcg_size = {"", std::nullopt};
constexpr std::array hpcg_headlines = {Headline{"rating_gflops", "efficiency_stream"}};
/// `bandwidth_gb_s` is HPCG's own count of bytes over its time. An optimised program reads fewer.
constexpr std::array hpcg_efficiencies = {
    EfficiencyFact{.metric = "efficiency_stream",
                   .numerator = "bandwidth_gb_s",
                   .above_one = "above 100 %: plausible up to 4 times STREAM (rule HPCG-10)"},
    EfficiencyFact{"efficiency_gemm", "rating_gflops"}, EfficiencyFact{"efficiency_rpeak", "rating_gflops"}};
constexpr std::array hpcg_metrics = {
    MetricFact{.key = "total_time_s",
               .kind = MetricKind{"s", std::nullopt}},  // it runs as long as it is told
    MetricFact{.key = "unknowns", .kind = hpcg_size}, MetricFact{.key = "nonzeros", .kind = hpcg_size}};
constexpr std::array hpcg_pairs = {
    FigurePair{.name = "HPCG / HPL",
               .metric = "rating_gflops",
               .suite = "hpl",
               .metric_below = "rmax_gflops",
               .share = true,
               .says = "memory bandwidth beside arithmetic: the faster the arithmetic, the smaller"}};
constexpr std::array hpcg_resources = {Resource::compute, Resource::network};

}  // namespace

const SuiteFacts hpcg = {
    .id = "hpcg",
    .title = "HPCG",
    .about = "High Performance Conjugate Gradients: a sparse system, bound by memory bandwidth",
    .rank = 20,
    .headlines = hpcg_headlines,
    .rate = "rating_gflops",
    .efficiencies = hpcg_efficiencies,
    .metrics = hpcg_metrics,
    .pairs = hpcg_pairs,
    .resources = hpcg_resources,
    .identities = hpcg::identities,
};

}  // namespace shakedown::facts
