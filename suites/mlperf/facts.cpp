#include <array>

#include "orchestrator/plan/suite_facts.hpp"
#include "suites/mlperf/identities.hpp"

namespace shakedown::facts {

extern const SuiteFacts mlperf;

namespace {

constexpr MetricKind mlperf_quality = {"", std::nullopt};  // reached or not

constexpr std::array mlperf_headlines = {Headline{"time_to_train_min", "efficiency_gemm"}};
constexpr std::array mlperf_efficiencies = {
    EfficiencyFact{.metric = "efficiency_gemm", .numerator = "model_gflops", .name = "MFU"},
    EfficiencyFact{"efficiency_rpeak", "model_gflops"}};
constexpr std::array mlperf_metrics = {MetricFact{.key = "final_*", .kind = mlperf_quality},
                                       MetricFact{.key = "target_*", .kind = mlperf_quality}};
/// The time to train counts, but comes in steps of the interval between evaluations (GPT-3: 4 %), which hide
/// a loss of less.
constexpr std::array<std::string_view, 2> mlperf_watched = {"tokens_per_s_per_gpu", "samples_per_s"};
constexpr std::array mlperf_resources = {Resource::compute, Resource::network};

}  // namespace

const SuiteFacts mlperf = {
    .id = "mlperf",
    .title = "MLPerf",
    .about = "MLPerf Training: time to train a model to its target quality",
    .rank = 50,
    .headlines = mlperf_headlines,
    .rate = "model_gflops",
    .precision = "fp32",  // the one training that states its model's FLOP is ours, in FP32
    .efficiencies = mlperf_efficiencies,
    .metrics = mlperf_metrics,
    .watched = mlperf_watched,
    // Source: MLCommons, "MLPerf results messaging guidelines".
    .unreviewed = UnreviewedResult{"unverified", "Result not verified by MLCommons Association."},
    .resources = mlperf_resources,
    .identities = mlperf::identities,
};

}  // namespace shakedown::facts
