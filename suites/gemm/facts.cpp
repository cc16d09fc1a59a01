#include <array>

#include "orchestrator/plan/suite_facts.hpp"
#include "suites/hpl/lu_identities.hpp"

namespace shakedown::gemm {

namespace {

/// Recomputes the identities of a published run of the suite. Its rate was published with HPL.
void identities(const PublishedRun& run, const Baseline& baseline, IdentityList& found) {
  if (const BaselineValue* rate = baseline.find("hpl", "gemm_gflops_per_gpu"))
    hpl::rate_identities(run, *rate, nullptr, found);
}

}  // namespace
}  // namespace shakedown::gemm

namespace shakedown::facts {

extern const SuiteFacts gemm;

namespace {

constexpr std::array gemm_headlines = {Headline{"fp64_gflops", "efficiency_rpeak"},
                                       Headline{.metric = "fp32_gflops", .optional = true},
                                       Headline{.metric = "tf32_gflops", .optional = true},
                                       Headline{.metric = "bf16_gflops", .optional = true},
                                       Headline{.metric = "fp16_gflops", .optional = true},
                                       Headline{.metric = "fp8_gflops", .optional = true},
                                       Headline{.metric = "gpu_min_fp64_gflops", .optional = true}};
constexpr std::array gemm_efficiencies = {EfficiencyFact{"efficiency_gemm", "fp64_gflops"},
                                          EfficiencyFact{"efficiency_rpeak", "fp64_gflops"}};
constexpr std::array<std::string_view, 1> gemm_size = {"N = {N}"};
constexpr std::array gemm_metrics = {MetricFact{"fp64_gflops", "FP64 rate"},
                                     MetricFact{"fp32_gflops", "FP32 rate"},
                                     MetricFact{"tf32_gflops", "TF32 rate"},
                                     MetricFact{"bf16_gflops", "BF16 rate"},
                                     MetricFact{"fp16_gflops", "FP16 rate"},
                                     MetricFact{"fp8_gflops", "FP8 rate"},
                                     MetricFact{"gpu_min_fp64_gflops", "FP64 rate of the slowest GPU alone"},
                                     MetricFact{"gpu_max_fp64_gflops", "FP64 rate of the fastest GPU alone"},
                                     MetricFact{"spread_pct", "spread of repetitions"},
                                     MetricFact{"fp32_spread_pct", "FP32 spread of repetitions"},
                                     MetricFact{"efficiency_gemm", "efficiency over measured GEMM"}};

}  // namespace

const SuiteFacts gemm = {
    .id = "gemm",
    .title = "GEMM",
    .about =
        "Matrix product in FP64 and FP32 on all cores, or on all GPUs in each precision: what HPL's "
        "efficiency "
        "refers to",
    .rank = 1,
    .screen = true,
    .headlines = gemm_headlines,
    .rate = "fp64_gflops",
    .size = gemm_size,
    .efficiencies = gemm_efficiencies,
    // HPL consists of matrix products. What beats them by more than their own repetitions may differ (5 %, as
    // rule GEMM-03 has it) is a wrong log or a disturbed screen, and no efficiency.
    .yardstick =
        Yardstick{.efficiency = "efficiency_gemm",
                  .metric = "*_gflops",
                  .name = "GEMM",
                  .above_one =
                      "above 100 % by less than GEMM's own repetitions may differ: the reference is too low",
                  .most = 1.05,
                  .why_most = "{suite} is faster than the matrix multiplication it consists of"},
    .node_rate = ScreenedRate{.metric = "fp64_gflops",
                              .rate = &MeasuredRates::gemm_gflops,
                              .gpu_rate = &MeasuredRates::gpu_gemm_gflops},
    .metrics = gemm_metrics,
    .spread = "spread_pct",
    .identities = gemm::identities,
};

}  // namespace shakedown::facts
