#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts stream;

namespace {

constexpr std::array stream_headlines = {Headline{"triad_mb_s", "efficiency_memory"}};
constexpr std::array stream_efficiencies = {EfficiencyFact{"efficiency_memory", "triad_mb_s"}};
constexpr std::array<std::string_view, 1> stream_size = {"{elements} elements"};
constexpr std::array stream_metrics = {
    MetricFact{"host_to_gpu_mb_s", "host to all GPUs"},
    MetricFact{"gpu_to_host_mb_s", "all GPUs to host"},
    MetricFact{"gpu_min_triad_mb_s", "triad of the slowest GPU alone"},
    MetricFact{"gpu_min_host_to_gpu_mb_s", "host to GPU, the slowest"},
    MetricFact{"gpu_min_gpu_to_host_mb_s", "GPU to host, the slowest"},
    MetricFact{"gpu_min_to_gpu_mb_s", "GPU to GPU, the slowest"},
    MetricFact{"efficiency_stream", "implied bandwidth over measured STREAM"},
    MetricFact{"efficiency_memory", "efficiency over the memory's peak"}};

}  // namespace

const SuiteFacts stream = {
    .id = "stream",
    .title = "STREAM",
    .about = "Memory bandwidth of all cores, or of all GPUs: what HPCG's rate rests on",
    .rank = 2,
    .screen = true,
    .headlines = stream_headlines,
    .counts_arithmetic = false,
    .size = stream_size,
    .efficiencies = stream_efficiencies,
    .yardstick = Yardstick{.efficiency = "efficiency_stream",
                           .metric = "triad_mb_s",
                           .name = "STREAM Triad",
                           .most = 4,
                           .why_most = "implausible: {ratio} times STREAM"},
    .node_rate = ScreenedRate{.metric = "triad_mb_s",
                              .rate = &MeasuredRates::triad_gb_s,
                              .unit = 1e-3,
                              .gpu_rate = &MeasuredRates::gpu_triad_gb_s},
    .metrics = stream_metrics,
};

}  // namespace shakedown::facts
