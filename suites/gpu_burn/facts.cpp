#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts gpu_burn;

namespace {

constexpr std::array gpu_burn_headlines = {Headline{.metric = "least_gflops", .optional = true}};
constexpr std::array gpu_burn_metrics = {
    MetricFact{.key = "least_gflops", .title = "rate of the slowest GPU"},
    MetricFact{.key = "most_gflops", .title = "rate of the fastest GPU"},
    MetricFact{.key = "faulty_gpus", .title = "faulty GPUs", .kind = MetricKind{"", Better::lower}},
    MetricFact{.key = "hottest_celsius", .title = "hottest GPU", .kind = MetricKind{"°C", Better::lower}}};

}  // namespace

const SuiteFacts gpu_burn = {
    .id = "gpu-burn",
    .title = "gpu-burn",
    .about = "All GPUs of a node multiply matrices for minutes, each product compared",
    .screen = true,
    .headlines = gpu_burn_headlines,
    .counts_arithmetic = false,
    .metrics = gpu_burn_metrics};

}  // namespace shakedown::facts
