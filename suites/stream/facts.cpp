#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts stream;

namespace {

constexpr std::array stream_headlines = {Headline{"triad_mb_s", "efficiency_memory"}};
constexpr std::array stream_efficiencies = {EfficiencyFact{"efficiency_memory", "triad_mb_s"}};
constexpr std::array stream_metrics = {
    MetricFact{"efficiency_stream", "implied bandwidth over measured STREAM"},
    MetricFact{"efficiency_memory", "efficiency over the memory's peak"}};

}  // namespace

const SuiteFacts stream = {
    .id = "stream",
    .title = "STREAM",
    .about = "Memory bandwidth of all cores: what HPCG's rate rests on",
    .rank = 2,
    .screen = true,
    .headlines = stream_headlines,
    .counts_arithmetic = false,
    .efficiencies = stream_efficiencies,
    .yardstick = Yardstick{.efficiency = "efficiency_stream",
                           .metric = "triad_mb_s",
                           .name = "STREAM Triad",
                           .cpus_only = true,
                           .most = 4,
                           .why_most = "implausible: {ratio} times STREAM"},
    .node_rate = ScreenedRate{"triad_mb_s", &MeasuredRates::triad_gb_s, 1e-3},
    .metrics = stream_metrics,
};

}  // namespace shakedown::facts
